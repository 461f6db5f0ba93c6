// Several collectives on one network at once: those of tensor, data, pipeline and expert parallelism.
#pragma once

#include "schedules/portfolio/portfolio.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// One of them: the same collective in each of some groups.
struct ConcurrentCollective {
    std::string name;
    CollectiveKind kind =
        CollectiveKind::allreduce; ///< of a group; the first member is the root, if there is one
    std::vector<std::vector<std::uint32_t>>
        groups;              ///< processors, in the order of their ranks; all of one size
    std::uint64_t bytes = 0; ///< of the largest vector that a member contributes, 1 or more
    /// Those that end at a member before this one begins there: indices, each below its own.
    std::vector<std::size_t> after = {};
    std::uint64_t start_cycles = 0; ///< none of its transfers begins before that time
};

struct ConcurrentProblem {
    LinkNetwork network;
    std::vector<ConcurrentCollective> collectives; ///< at least one
    double start_cycles = 0;                       ///< AlphaBeta
    bool latency_holds_link = false;               ///< AlphaBeta
};

/// What became of one of them.
struct ConcurrentShare {
    std::uint32_t parts = 1; ///< that each of its blocks is cut into
    std::string engine = {};
    bool is_within_groups = false; ///< only members and switches carry it, others do not relay
    double cycles_alone = 0;       ///< its schedule without the others, from its start
    double bound_alone = 0;        ///< which no schedule beats, likewise; 0: none is known
    double end_cycles = 0;         ///< beside the others, from 0
};

struct ConcurrentResult {
    std::optional<Schedule> schedule = std::nullopt; ///< of all of them: CollectiveKind::custom
    std::vector<ConcurrentShare> shares = {};
    Bounds bounds =
        {}; ///< of all at once, for blocks cut into any number of parts; starts are in it, what waits is not
    AlphaBeta cost = {};
    double cycles = 0;
    EndReason end = EndReason::settled;
    double seconds = 0;
};

/// Throws std::invalid_argument, one line, for no collective, a kind that no group makes, no groups, groups
/// of different sizes or that share a processor, 0 bytes, and an index in `after` that is not below its own.
void check(const ConcurrentProblem& problem);

/// Each collective gets a schedule of its own, with the engines of find_schedule(), once for groups that look
/// alike: where a group and the switches between its members are connected, on these alone, otherwise over
/// shortest paths between members. Then all run at once, links going to whatever is ready, in several orders
/// of precedence. What is busiest then bounds the time: as long as that is far from the joint bound,
/// collectives on the busiest links are searched again, on links as wide as the others leave them, at last on
/// the whole network, where all processors relay and add. What takes the least time is the result.
///
/// Throws as check() and find_schedule(), and std::invalid_argument for sizes without a common unit.
ConcurrentResult find_concurrent_schedule(const ConcurrentProblem& problem,
                                          const PortfolioOptions& options = {});

} // namespace nocturne
