// Paths for schedules that name only sources and destinations.
#pragma once

#include "schedules/schedule/schedule.hpp"

namespace nocturne {

struct PathSearch {
    unsigned max_slack =
        2; ///< most hops that a path may have beyond a minimal one; no more than Schedule::slack
    unsigned long search_limit = 500'000; ///< most paths that each search below tries for one step and slack
};

/// `schedule` with a path for every transfer, such that no two transfers of a step share a channel. Paths
/// that are given stay as they are. The same input always gives the same paths; under store-and-forward
/// switching a path is one hop.
///
/// Each step is a search of its own, for minimal paths first and then with slack 1, 2 up to `max_slack`. It
/// begins with a hundredth of the limit for *exhaustion*: backtracking over all paths of that slack, the
/// transfer with the fewest remaining ones first, with forward checking. If that neither finds paths nor
/// proves that there are none, *repair* goes on: one transfer at a time takes the path that is cheapest where
/// a channel held by another costs its weight, and throws out who holds it; the thrown out queue up again,
/// and a channel that was fought over gains weight (negotiated congestion after McMurchie and Ebeling,
/// PathFinder, FPGA 1995, with eviction in place of rounds). That follows the chains of rearrangements by
/// which rearrangeable networks such as Benes route any permutation. If no slack did, exhaustion goes to the
/// limit with `max_slack`.
///
/// Throws std::runtime_error naming the first step (counted from 1) that finds no paths and whether this is
/// proven or the limit was reached, and std::invalid_argument for a processor or channel that `topology` does
/// not have.
Schedule complete_paths(const Schedule& schedule, const Topology& topology, const PathSearch& search = {});

} // namespace nocturne
