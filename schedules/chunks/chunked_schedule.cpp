#include "schedules/chunks/chunked_schedule.hpp"

#include "schedules/chunks/transfer_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

namespace nocturne {

std::uint32_t count_steps(const ChunkedSchedule& schedule)
{
    return static_cast<std::uint32_t>(schedule.rounds.size());
}

std::uint64_t count_rounds(const ChunkedSchedule& schedule)
{
    return std::accumulate(schedule.rounds.begin(), schedule.rounds.end(), std::uint64_t{0});
}

namespace {

/// The weight of what is at every place, while transfers execute.
class PlaceWeights {
public:
    explicit PlaceWeights(const ChunkedSchedule& schedule) : chunks_(schedule.collective.chunks)
    {
        for (const ChunkPlacement& input : schedule.inputs)
            if (input.chunk < chunks_.size())
                weights_[key(input.processor, input.place)] = chunks_[input.chunk].weight;
    }

    std::uint32_t read_by(const ChunkTransfer& transfer) const { return at(transfer.source, transfer.from); }

    /// A sum has the weight of what was there.
    void write(const ChunkTransfer& transfer, std::uint32_t weight)
    {
        const std::uint32_t there = at(transfer.destination, transfer.to);
        if (there != weight && (transfer.operation == Operation::copy || there == 0))
            weights_[key(transfer.destination, transfer.to)] = weight;
    }

private:
    static std::uint64_t key(NodeId node, PlaceId place) { return std::uint64_t{node} << 32 | place; }

    std::uint32_t at(NodeId node, PlaceId place) const
    {
        const auto found = weights_.find(key(node, place));
        if (found != weights_.end())
            return found->second;
        return place < chunks_.size() ? chunks_[place].weight : 0;
    }

    const std::vector<Chunk>& chunks_;
    std::unordered_map<std::uint64_t, std::uint32_t> weights_; ///< where not that of the place's own chunk
};

/// Does every place hold its own chunk, if anything?
bool keeps_own_places(const ChunkedSchedule& schedule)
{
    return schedule.inputs.empty() && std::all_of(schedule.transfers.begin(), schedule.transfers.end(),
                                                  [&](const ChunkTransfer& transfer) {
                                                      return transfer.from == transfer.to &&
                                                             transfer.to < schedule.collective.chunks.size();
                                                  });
}

/// What links carry is read before anything is written; local transfers follow one by one.
void weigh_steps(const ChunkedSchedule& schedule, PlaceWeights& places, std::vector<std::uint32_t>& weights)
{
    const auto& transfers = schedule.transfers;
    for (std::size_t begin = 0, end = 0; begin < transfers.size(); begin = end) {
        while (end < transfers.size() && transfers[end].step == transfers[begin].step)
            ++end;
        for (std::size_t id = begin; id < end; ++id)
            weights[id] = places.read_by(transfers[id]);
        for (std::size_t id = begin; id < end; ++id)
            if (!transfers[id].path.empty())
                places.write(transfers[id], weights[id]);
        for (std::size_t id = begin; id < end; ++id)
            if (transfers[id].path.empty()) {
                weights[id] = places.read_by(transfers[id]);
                places.write(transfers[id], weights[id]);
            }
    }
}

} // namespace

std::vector<std::uint32_t> transfer_weights(const ChunkedSchedule& schedule)
{
    const auto& transfers = schedule.transfers;
    std::vector<std::uint32_t> weights(transfers.size(), 0);
    PlaceWeights places{schedule};
    if (keeps_own_places(schedule)) {
        for (std::size_t id = 0; id < transfers.size(); ++id)
            weights[id] = places.read_by(transfers[id]);
    } else if (schedule.synchronization == ChunkSynchronization::steps) {
        weigh_steps(schedule, places, weights);
    } else {
        for (const std::uint32_t id : order_of_transfers(schedule)) {
            weights[id] = places.read_by(transfers[id]);
            places.write(transfers[id], weights[id]);
        }
    }
    return weights;
}

namespace {

constexpr LinkId no_partner = ~0u;

/// For each link one the other way with the same bandwidth; parallel ones are paired in order, those of equal
/// latency first.
std::vector<LinkId> partners_of(const LinkNetwork& network)
{
    std::vector<LinkId> partners(network.link_count(), no_partner);
    const auto pair_up = [&](auto suits) {
        for (LinkId id = 0; id < network.link_count(); ++id) {
            const NetworkLink& link = network.link(id);
            for (const LinkId other : network.links_from(link.target)) {
                const NetworkLink& back = network.link(other);
                if (partners[id] != no_partner)
                    break;
                if (back.target == link.source && partners[other] == no_partner &&
                    back.bytes_per_cycle == link.bytes_per_cycle && suits(link, back)) {
                    partners[id] = other;
                    partners[other] = id;
                }
            }
        }
    };
    pair_up([](const NetworkLink& link, const NetworkLink& back) {
        return link.latency_cycles == back.latency_cycles;
    });
    pair_up([](const NetworkLink&, const NetworkLink&) { return true; });
    return partners;
}

} // namespace

ChunkedSchedule reversed(const ChunkedSchedule& schedule, const LinkNetwork& network)
{
    if (schedule.synchronization != ChunkSynchronization::steps || !schedule.inputs.empty() ||
        !schedule.outputs.empty())
        throw std::invalid_argument(fmt::format(
            "{}: only a schedule in steps without buffers of its own can be turned round", schedule.name));
    ChunkedSchedule result = schedule;
    result.name = fmt::format("{}, reversed", schedule.name);
    result.collective = reversed(schedule.collective);
    std::reverse(result.rounds.begin(), result.rounds.end());
    std::reverse(result.transfers.begin(), result.transfers.end());
    const auto& chunks = result.collective.chunks;
    const std::vector<LinkId> partners = partners_of(network);
    std::map<std::pair<NodeId, PlaceId>, std::uint32_t> filled; // step in which a place is first written
    for (ChunkTransfer& transfer : result.transfers) {
        if (transfer.from != transfer.to || transfer.to >= chunks.size() ||
            (transfer.operation == Operation::add && reduces(result.collective)))
            throw std::invalid_argument(fmt::format(
                "{}: a schedule with sums on their way or scratch cannot be turned round", schedule.name));
        std::swap(transfer.source, transfer.destination);
        std::reverse(transfer.path.begin(), transfer.path.end());
        for (LinkId& link : transfer.path) {
            if (partners[link] == no_partner)
                throw std::invalid_argument(fmt::format("{}: link {} has no partner the other way",
                                                        network.name(), describe_link(network, link)));
            link = partners[link];
        }
        transfer.step = count_steps(schedule) - 1 - transfer.step;
        const auto& contributors = chunks[transfer.to].contributors;
        const bool contributes =
            std::binary_search(contributors.begin(), contributors.end(), transfer.destination);
        const bool first = filled.emplace(std::pair{transfer.destination, transfer.to}, transfer.step).second;
        transfer.operation =
            contributors.size() > 1 && (contributes || !first) ? Operation::add : Operation::copy;
    }
    return result;
}

} // namespace nocturne
