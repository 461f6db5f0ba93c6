#include "schedules/certificate/hops.hpp"
#include "schedules/certificate/shortest_lengths.hpp"
#include "schedules/chunk_search/timed_schedules.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nocturne {
namespace {

/// The ways from member to member, chosen one after the other.
class ChainWays {
public:
    ChainWays(const LinkNetwork& network, const AlphaBeta& cost, double weight)
        : network_(network), cost_(cost), weight_(weight), hops_(shortest_hops(network, 1)),
          hops_from_(network.node_count()), load_(network.link_count(), 0)
    {
        for (std::uint32_t h = 0; h < hops_.size(); ++h)
            hops_from_[hops_[h].source].push_back(h);
    }

    /// In the order of their use; empty if there is no way.
    std::vector<std::uint32_t> take(NodeId from, NodeId to)
    {
        constexpr std::uint32_t none = ~0U;
        std::vector<std::uint32_t> by(network_.node_count(), none);
        shortest_lengths(network_.node_count(), from, HUGE_VAL, [&](NodeId node, const auto& visit) {
            for (const std::uint32_t h : hops_from_[node])
                if (visit(hops_[h].destination, time_of_hop(h)))
                    by[hops_[h].destination] = h;
        });
        std::vector<std::uint32_t> way;
        for (NodeId node = to; by[node] != none && node != from; node = hops_[by[node]].source)
            way.push_back(by[node]);
        std::ranges::reverse(way);
        for (const std::uint32_t h : way)
            for (const LinkId link : hops_[h].path)
                most_ = std::max(most_, ++load_[link]);
        return way;
    }

    const ChunkHop& hop(std::uint32_t index) const { return hops_[index]; }
    /// Ways over the fullest link.
    std::uint64_t most() const { return most_; }

private:
    /// As if what is on its links already were there first.
    double time_of_hop(std::uint32_t h) const
    {
        double stream = 0;
        for (const LinkId link : hops_[h].path)
            stream =
                std::max(stream, weight_ * cost_.bytes_per_weight * static_cast<double>(1 + load_[link]) /
                                     static_cast<double>(network_.link(link).bytes_per_cycle));
        return path_time(hops_[h].path, network_, cost_).alpha + stream;
    }

    const LinkNetwork& network_;
    const AlphaBeta& cost_;
    double weight_;
    std::vector<ChunkHop> hops_;
    std::vector<std::vector<std::uint32_t>> hops_from_;
    std::vector<std::uint64_t> load_;
    std::uint64_t most_ = 1;
};

/// A transfer of every part.
struct ChainHop {
    std::uint32_t hop;
    bool begins, ends; ///< at a member, which has the sum; otherwise it is in scratch
};

} // namespace

std::vector<std::uint32_t> scan_order(const Collective& collective)
{
    if (collective.chunks.empty() || collective.demands.empty())
        return {};
    std::vector<std::uint32_t> order = collective.chunks.front().contributors;
    const std::size_t members = order.size();
    const auto has_members = [&](const Chunk& chunk) { return chunk.contributors == order; };
    const auto is_to_member = [&](const Demand& demand) {
        return std::ranges::binary_search(order, demand.receiver);
    };
    if (!std::ranges::all_of(collective.chunks, has_members) ||
        !std::ranges::all_of(collective.demands, is_to_member))
        return {};
    std::vector<const Demand*> sums(collective.processors, nullptr); // by receiver, of the first chunk
    for (const Demand& demand : collective.demands) {
        const Demand*& first = sums[demand.receiver];
        if (first == nullptr)
            first = &demand;
        if (first->contributors != demand.contributors)
            return {};
    }
    // The first may be owed its own contribution, or nothing.
    const auto rank = [&](std::uint32_t node) { return sums[node] ? sums[node]->contributors.size() : 1; };
    std::ranges::sort(order, {}, rank);
    std::vector<std::size_t> position(collective.processors, members);
    for (std::size_t i = 0; i < members; ++i)
        position[order[i]] = i;
    for (std::size_t i = 0; i < members; ++i)
        if (rank(order[i]) != i + 1 ||
            (sums[order[i]] != nullptr &&
             std::ranges::any_of(sums[order[i]]->contributors,
                                 [&](std::uint32_t node) { return position[node] > i; })))
            return {};
    const std::size_t owed = members - (sums[order.front()] == nullptr ? 1 : 0);
    if (collective.demands.size() != collective.chunks.size() * owed)
        return {};
    return order;
}

std::optional<Schedule> scan_over_chain(const LinkNetwork& network, const Collective& collective,
                                        const AlphaBeta& cost)
{
    const std::vector<std::uint32_t> members = scan_order(collective);
    if (members.empty())
        return std::nullopt;
    ChainWays ways(network, cost, collective.chunks.front().weight);
    std::vector<ChainHop> chain;
    for (std::size_t i = 1; i < members.size(); ++i) {
        const std::vector<std::uint32_t> way = ways.take(members[i - 1], members[i]);
        if (way.empty())
            return std::nullopt;
        for (const std::uint32_t hop : way)
            chain.push_back({hop, hop == way.front(), hop == way.back()});
    }
    // A link is used most() times a part: parts begin so many hops behind each other.
    struct Turn {
        std::uint64_t at;
        ChunkId chunk;
        std::uint32_t place; ///< in the chain
    };
    std::vector<Turn> turns;
    for (ChunkId chunk = 0; chunk < collective.chunks.size(); ++chunk)
        for (std::uint32_t place = 0; place < chain.size(); ++place)
            turns.push_back({chunk * ways.most() + place, chunk, place});
    std::ranges::stable_sort(turns, {}, &Turn::at);
    Schedule schedule =
        empty_schedule("chain", network.name(), collective, ScheduleSynchronization::dependencies);
    const auto chunks = static_cast<PlaceId>(collective.chunks.size());
    const auto scratch = [&](ChunkId chunk, std::uint32_t place) { return chunks + chunk + chunks * place; };
    std::vector<std::uint32_t> before(chunks, 0);
    for (const auto& [at, chunk, place] : turns) {
        const auto& [hop, begins, ends] = chain[place];
        Transfer transfer{{begins ? chunk : scratch(chunk, place - 1), ends ? chunk : scratch(chunk, place)},
                          ways.hop(hop).source,
                          ways.hop(hop).destination,
                          ways.hop(hop).path,
                          ends ? Operation::add : Operation::copy};
        std::vector<std::uint32_t> after;
        if (place > 0)
            after.push_back(before[chunk]);
        before[chunk] = append_transfer(schedule, std::move(transfer), after);
    }
    return schedule;
}

} // namespace nocturne
