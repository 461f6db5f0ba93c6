#include "schedules/chunk_search/crossing_time.hpp"

namespace nocturne {
namespace {

/// The claims of all cuts between a processor and the others; see claims_of_cut().
class PortTimes {
public:
    PortTimes(const LinkNetwork& network, const Collective& collective,
              const std::optional<ChunkPiece>& piece, const AlphaBeta& cost)
        : network_(network), collective_(collective), piece_(piece), cost_(cost),
          latencies_(latencies_of(network)), owed_(network.processor_count()),
          contributed_(network.processor_count())
    {
    }

    PortTime latest()
    {
        try_whole();
        for (const CountedLink counted : {CountedLink::first, CountedLink::last}) {
            const auto hop = hop_of(network_, collective_, piece_, cost_, counted);
            for (const NodeId node : unlike_processors(network_))
                for (const bool enters : {true, false}) {
                    std::vector<bool> inside(network_.node_count(), enters);
                    inside[node] = !enters;
                    for (const CutClaim<double>& claim :
                         claims_of_cut<double>(network_, latencies_, collective_, demands_over(node, enters),
                                               inside, counted, hop))
                        try_claim(node, enters, claim);
                }
        }
        return latest_;
    }

private:
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

    /// Those that can have to cross.
    std::vector<std::uint32_t> demands_over(NodeId node, bool enters) const
    {
        if (enters)
            return owed_[node];
        std::vector<std::uint32_t> demands = contributed_[node];
        demands.insert(demands.end(), sums_.begin(), sums_.end());
        return demands;
    }

    const LinkNetwork& network_;
    const Collective& collective_;
    const std::optional<ChunkPiece>& piece_;
    const AlphaBeta& cost_;
    NetworkLatencies latencies_;
    std::vector<std::vector<std::uint32_t>> owed_;        ///< by processor: demands
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
