// One run of the search by time.
#pragma once

#include "models/routing/random.hpp"
#include "schedules/certificate/hops.hpp"
#include "schedules/problem/search_end.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// What runs, and direct exchanges, share.
struct TimedProblem {
    const LinkNetwork& network;
    const Collective& collective; ///< that only copies
    AlphaBeta cost;
    std::vector<ChunkHop> hops;
    std::vector<PathTime> times = {};                       ///< by hop
    std::vector<std::vector<std::uint32_t>> hops_from = {}; ///< by node
    std::vector<std::vector<std::uint32_t>> hops_over = {}; ///< by link
    std::vector<std::vector<NodeId>> receivers = {};        ///< by chunk
};

/// What runs choose by.
struct RunGuide {
    /// May a node that stores not be owed a chunk, so that it would only relay it?
    bool relays = false;
    /// By receiver and node: alpha and beta of a chunk of weight 1 from the node to it, the fastest way;
    /// empty if nothing is relayed and all hops take as long, or there are too many ways.
    std::vector<std::vector<float>> to_go = {};
    /// By hop: bytes a cycle that come to its destination over hops that take less time than it; empty if all
    /// take as long, or something is relayed.
    std::vector<double> rates_of_faster = {};
};

TimedProblem make_timed_problem(const LinkNetwork& network, const Collective& collective,
                                const AlphaBeta& cost, std::size_t paths_per_pair);
/// Of these hops only, by source and then by destination.
TimedProblem timed_problem_over(std::vector<ChunkHop> hops, const LinkNetwork& network,
                                const Collective& collective, const AlphaBeta& cost);

/// Takes a shortest way over the hops from each receiver.
RunGuide make_run_guide(const TimedProblem& problem);

/// The hops from one node to another, ascending.
std::span<const std::uint32_t> hops_between(const TimedProblem& problem, NodeId from, NodeId to);

inline bool are_joined(const TimedProblem& problem, NodeId from, NodeId to)
{
    return !hops_between(problem, from, to).empty();
}

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

/// What a hop sends where others into its destination take less time and nothing is relayed.
enum class SlowLinks {
    used,   ///< whatever the destination lacks, first what few nodes have
    spared, ///< first what is farthest from it; nothing that all comes sooner over faster hops
};

/// Gives up, incomplete, as soon as the run lasts longer than `most_cycles`, or the end has come.
TimedOutcome run_in_time(const TimedProblem& problem, const RunGuide& guide, SplitMix64 random,
                         SlowLinks slow_links, double most_cycles, const SearchEnd& end);

/// The sends of a run as transfers that wait for what they send; without those that lead nowhere.
Schedule schedule_of(const TimedProblem& problem, const std::vector<TimedSend>& sends);

} // namespace nocturne
