#include "schedules/chunk_search/crossing_time.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace nocturne {
namespace {

/// The claims of all cuts between a processor and the others; see claims_of_cut().
class PortTimes {
public:
    PortTimes(const LinkNetwork& network, const Collective& collective,
              const std::optional<ChunkPiece>& piece, const AlphaBeta& cost)
        : network_(network), collective_(collective), piece_(piece), cost_(cost),
          latencies_(latencies_of(network)),
          hops_{hop_of(network, collective, piece, cost, CountedLink::first),
                hop_of(network, collective, piece, cost, CountedLink::last)},
          owed_(network.processor_count()), contributed_(network.processor_count())
    {
        if (!stores_nothing_in_switches(network))
            return;
        for (const CountedLink counted : {CountedLink::first, CountedLink::last})
            transfer_ = std::max(transfer_,
                                 least_sent<double>(network, counted, hops_[counted == CountedLink::last]) +
                                     static_cast<double>(latencies_.near.front().latency));
    }

    PortTime latest()
    {
        try_whole();
        for (const NodeId node : unlike_processors(network_)) {
            try_sums(node);
            try_copies(node);
            for (const Hop& hop : hops_) {
                try_late(node, hop);
                try_early(node, hop);
            }
        }
        return latest_;
    }

private:
    using Hop = std::function<double(LinkId link)>;

    void try_claim(NodeId node, bool enters, const CutClaim<double>& claim)
    {
        const double cycles =
            crossing_time(network_, latencies_, enters ? network_.links_to(node) : network_.links_from(node),
                          piece_, claim, cost_);
        if (cycles > latest_.cycles)
            latest_ = {cycles, node, enters};
    }

    /// All that enters and leaves. Lists demands by processor, too.
    void try_whole()
    {
        const std::uint32_t processors = network_.processor_count();
        std::vector<CutClaim<double>> entering(processors), leaving(processors);
        // Receivers of a chunk that want all of it: two, and every contribution leaves its processor; one,
        // and all but its own do.
        std::vector<std::uint32_t> whole(collective_.chunks.size(), 0), last(whole);
        for (std::uint32_t id = 0; id < collective_.demands.size(); ++id) {
            const Demand& demand = collective_.demands[id];
            const Chunk& chunk = collective_.chunks[demand.chunk];
            if (demand.contributors.size() > 1 || demand.contributors.front() != demand.receiver) {
                entering[demand.receiver].crossed.add(1, chunk.weight);
                owed_[demand.receiver].push_back(id);
            }
            if (demand.contributors.size() > 1)
                sums_.push_back(id);
            else
                contributed_[demand.contributors.front()].push_back(id);
            if (demand.contributors.size() != chunk.contributors.size())
                continue;
            ++whole[demand.chunk];
            last[demand.chunk] = demand.receiver;
        }
        for (ChunkId c = 0; c < collective_.chunks.size(); ++c)
            for (const std::uint32_t contributor : collective_.chunks[c].contributors)
                if (whole[c] > 1 || (whole[c] == 1 && last[c] != contributor))
                    leaving[contributor].crossed.add(1, collective_.chunks[c].weight);
        for (NodeId node = 0; node < processors; ++node) {
            try_claim(node, true, entering[node]);
            try_claim(node, false, leaving[node]);
        }
    }

    /// Crosses once for each of several, or is a transfer on its way inside or outside.
    void try_once_for_each(NodeId node, bool enters, const CrossingCount& crossed, std::uint64_t members)
    {
        if (crossed.chunks > 0 && members >= 2 && transfer_ > 0)
            try_claim(node, enters, {{{transfer_, members - 1}, {}}, crossed, members});
    }

    void try_sums(NodeId node)
    {
        CrossingCount crossed;
        std::uint64_t least = ~std::uint64_t{0};
        for (const std::uint32_t id : owed_[node]) {
            const Demand& demand = collective_.demands[id];
            const bool has_own = std::ranges::binary_search(demand.contributors, node);
            crossed.add(1, collective_.chunks[demand.chunk].weight);
            least = std::min<std::uint64_t>(least, demand.contributors.size() - (has_own ? 1 : 0));
        }
        try_once_for_each(node, true, crossed, least);
    }

    void try_copies(NodeId node)
    {
        std::map<ChunkId, std::uint64_t> receivers;
        for (const auto* const demands : {&contributed_[node], &sums_})
            for (const std::uint32_t id : *demands)
                if (is_owed_to_others(node, collective_.demands[id]))
                    ++receivers[collective_.demands[id].chunk];
        CrossingCount crossed;
        std::uint64_t least = ~std::uint64_t{0};
        for (const auto& [chunk, count] : receivers) {
            crossed.add(1, collective_.chunks[chunk].weight);
            least = std::min(least, count);
        }
        try_once_for_each(node, false, crossed, least);
    }

    static bool is_owed_to_others(NodeId node, const Demand& demand)
    {
        return demand.receiver != node && std::ranges::binary_search(demand.contributors, node);
    }

    void try_late(NodeId node, const Hop& hop)
    {
        const std::vector<double> ready =
            relay_times<double>(network_, one_transfer_from(network_, {node}, true), true, hop);
        std::map<const std::vector<std::uint32_t>*, double> farthest; // of a list, which demands mostly share
        const auto ready_of = [&](const Demand& demand) {
            const std::vector<std::uint32_t>& contributors = demand.contributors;
            const auto [entry, is_new] = farthest.try_emplace(&contributors, -1);
            if (is_new)
                for (const std::uint32_t contributor : contributors)
                    if (contributor != node)
                        entry->second = std::max(entry->second, ready[contributor]);
            return entry->second;
        };
        for (const CutClaim<double>& claim : late_claims<double>(collective_, owed_[node], ready_of))
            try_claim(node, true, claim);
    }

    void try_early(NodeId node, const Hop& hop)
    {
        const std::vector<double> remaining =
            relay_times<double>(network_, one_transfer_from(network_, {node}, false), false, hop);
        const auto remaining_of = [&](const Demand& demand) {
            return is_owed_to_others(node, demand) ? remaining[demand.receiver] : -1;
        };
        for (const auto* const demands : {&contributed_[node], &sums_})
            for (const CutClaim<double>& claim : late_claims<double>(collective_, *demands, remaining_of))
                try_claim(node, false, claim);
    }

    const LinkNetwork& network_;
    const Collective& collective_;
    const std::optional<ChunkPiece>& piece_;
    const AlphaBeta& cost_;
    NetworkLatencies latencies_;
    std::array<Hop, 2> hops_;
    double transfer_ = -1;                         ///< the least time of one; none where switches store
    std::vector<std::vector<std::uint32_t>> owed_; ///< by processor: demands
    std::vector<std::vector<std::uint32_t>> contributed_; ///< by processor: of it alone
    std::vector<std::uint32_t> sums_;                     ///< of several
    PortTime latest_;
};

} // namespace

PortTime port_time_bound(const LinkNetwork& network, const Collective& collective,
                         const std::optional<ChunkPiece>& piece, const AlphaBeta& cost)
{
    return PortTimes(network, collective, piece, cost).latest();
}

} // namespace nocturne
