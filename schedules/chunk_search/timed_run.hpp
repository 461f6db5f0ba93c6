// One run of the search by time.
#pragma once

#include "models/routing/random.hpp"
#include "schedules/certificate/hops.hpp"
#include "schedules/chunk_search/chunk_sets.hpp"
#include "schedules/problem/search_end.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// What all runs share.
struct TimedProblem {
    const LinkNetwork& network;
    const Collective& collective; ///< that only copies
    AlphaBeta cost;
    std::vector<ChunkHop> hops;
    std::vector<PathTime> times;                       ///< by hop
    std::vector<std::vector<std::uint32_t>> hops_from; ///< by node
    std::vector<std::vector<std::uint32_t>> hops_over; ///< by link
    std::vector<std::vector<NodeId>> receivers;        ///< by chunk
    /// By receiver and node: alpha and beta of a chunk of weight 1 from the node to it, the fastest way;
    /// empty if every node that stores is owed every chunk, so that nothing is relayed.
    std::vector<std::vector<float>> to_go;
};

TimedProblem make_timed_problem(const LinkNetwork& network, const Collective& collective,
                                const AlphaBeta& cost, std::size_t paths_per_pair);

/// A transfer of a run: the chunk sets out over the hop.
struct TimedSend {
    std::uint32_t hop;
    ChunkId chunk;
    double released; ///< when it gives back its links, in cycles
};

struct TimedOutcome {
    double cycles = 0;
    bool is_complete = false;
    std::vector<TimedSend> sends; ///< in the order in which they start
};

/// Gives up, incomplete, as soon as the run lasts longer than `most_cycles`, or the end has come.
TimedOutcome run_in_time(const TimedProblem& problem, SplitMix64 random, double most_cycles,
                         const SearchEnd& end);

} // namespace nocturne
