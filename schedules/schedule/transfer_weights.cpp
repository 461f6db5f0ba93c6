#include "schedules/schedule/transfer_weights.hpp"

#include "schedules/schedule/transfer_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <unordered_map>

namespace nocturne {

namespace {

/// The weight of what is at every place, while transfers execute.
class PlaceWeights {
public:
    explicit PlaceWeights(const Schedule& schedule) : chunks_(schedule.collective.chunks)
    {
        for (const ChunkPlacement& input : schedule.inputs)
            if (input.chunk < chunks_.size())
                weights_[place_key(input.processor, input.place)] = chunks_[input.chunk].weight;
    }

    std::uint32_t read_by(const Transfer& transfer) const { return at(transfer.source, transfer.message); }

    /// A sum has the weight of what was there.
    void write(const Transfer& transfer, std::uint32_t weight)
    {
        const std::uint32_t there = at(transfer.destination, transfer.to);
        if (there != weight && (transfer.operation == Operation::copy || there == 0))
            weights_[place_key(transfer.destination, transfer.to)] = weight;
    }

private:
    std::uint32_t at(NodeId node, PlaceId place) const
    {
        const auto found = weights_.find(place_key(node, place));
        if (found != weights_.end())
            return found->second;
        return place < chunks_.size() ? chunks_[place].weight : 0;
    }

    const std::vector<Chunk>& chunks_;
    std::unordered_map<std::uint64_t, std::uint32_t> weights_; ///< where not that of the place's own chunk
};

/// Does every place hold its own chunk, if anything?
bool keeps_own_places(const Schedule& schedule)
{
    return schedule.inputs.empty() && std::ranges::all_of(schedule.steps, [&](const Step& step) {
               return std::ranges::all_of(step, [&](const Transfer& transfer) {
                   return transfer.message == transfer.to && transfer.to < schedule.collective.chunks.size();
               });
           });
}

/// What links carry is read before anything is written; local transfers follow one by one.
void weigh_step(const Step& step, PlaceWeights& places, std::vector<std::uint32_t>& weights)
{
    const std::size_t begin = weights.size();
    for (const Transfer& transfer : step)
        weights.push_back(places.read_by(transfer));
    for (std::size_t i = 0; i < step.size(); ++i)
        if (!step[i].is_local())
            places.write(step[i], weights[begin + i]);
    for (std::size_t i = 0; i < step.size(); ++i)
        if (step[i].is_local()) {
            weights[begin + i] = places.read_by(step[i]);
            places.write(step[i], weights[begin + i]);
        }
}

} // namespace

std::vector<std::uint32_t> transfer_weights(const Schedule& schedule)
{
    PlaceWeights places{schedule};
    std::vector<std::uint32_t> weights;
    if (keeps_own_places(schedule)) {
        for (const Step& step : schedule.steps)
            for (const Transfer& transfer : step)
                weights.push_back(places.read_by(transfer));
    } else if (is_in_steps(schedule)) {
        for (const Step& step : schedule.steps)
            weigh_step(step, places, weights);
    } else {
        const TransferList transfers(schedule);
        weights.resize(transfers.size(), 0);
        for (const std::uint32_t id : order_of_transfers(schedule)) {
            weights[id] = places.read_by(transfers[id]);
            places.write(transfers[id], weights[id]);
        }
    }
    return weights;
}

std::vector<std::uint64_t> transfer_releases(const Schedule& schedule)
{
    const std::vector<Chunk>& chunks = schedule.collective.chunks;
    std::vector<std::uint64_t> releases;
    if (std::ranges::all_of(chunks, [](const Chunk& chunk) { return chunk.release_cycles == 0; }))
        return releases;
    std::unordered_map<std::uint64_t, std::uint64_t> of_inputs;
    for (const ChunkPlacement& input : schedule.inputs)
        if (input.chunk < chunks.size())
            of_inputs[place_key(input.processor, input.place)] = chunks[input.chunk].release_cycles;
    for (const Step& step : schedule.steps)
        for (const Transfer& transfer : step) {
            const auto input = of_inputs.find(place_key(transfer.source, transfer.message));
            releases.push_back(input != of_inputs.end()           ? input->second
                               : transfer.message < chunks.size() ? chunks[transfer.message].release_cycles
                                                                  : 0);
        }
    return releases;
}

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

Schedule reversed(const Schedule& schedule, const LinkNetwork& network)
{
    if (!is_in_steps(schedule) || !schedule.inputs.empty() || !schedule.outputs.empty())
        throw std::invalid_argument(fmt::format(
            "{}: only a schedule in steps without buffers of its own can be turned round", schedule.name));
    Schedule result = schedule;
    result.name = fmt::format("{}, reversed", schedule.name);
    result.collective = reversed(schedule.collective);
    std::ranges::reverse(result.rounds);
    std::ranges::reverse(result.steps);
    const auto& chunks = result.collective.chunks;
    const std::vector<LinkId> partners = partners_of(network);
    std::set<std::pair<NodeId, PlaceId>> filled; // places that have been written
    const auto turn = [&](Transfer& transfer) {
        if (!transfer.keeps_place() || transfer.to >= chunks.size() ||
            (transfer.operation == Operation::add && reduces(result.collective)))
            throw std::invalid_argument(fmt::format(
                "{}: a schedule with sums on their way or scratch cannot be turned round", schedule.name));
        std::swap(transfer.source, transfer.destination);
        std::reverse(transfer.path->begin(), transfer.path->end());
        for (LinkId& link : *transfer.path) {
            if (partners[link] == no_partner)
                throw std::invalid_argument(fmt::format("{}: link {} has no partner the other way",
                                                        network.name(), describe_link(network, link)));
            link = partners[link];
        }
        const auto& contributors = chunks[transfer.to].contributors;
        const bool contributes = std::ranges::binary_search(contributors, transfer.destination);
        const bool first = filled.emplace(transfer.destination, PlaceId{transfer.to}).second;
        transfer.operation =
            contributors.size() > 1 && (contributes || !first) ? Operation::add : Operation::copy;
    };
    for (Step& step : result.steps) {
        std::ranges::reverse(step);
        std::ranges::for_each(step, turn);
    }
    return result;
}

} // namespace nocturne
