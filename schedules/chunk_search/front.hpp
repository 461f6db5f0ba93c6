// From the fewest steps to the fewest rounds a chunk: the Pareto front of latency against bandwidth.
#pragma once

#include "schedules/problem/search_end.hpp"
#include "schedules/schedule/transfer_weights.hpp"
#include "schedules/workers/ordered_jobs.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

namespace nocturne {

/// Places of chunks in nodes: beyond it the formulas have no end.
inline constexpr std::size_t most_exact_places = 4096;

struct FrontConfig {
    std::uint32_t least_parts = 1;  ///< C, at least
    std::uint32_t most_parts = 6;   ///< C, at most
    std::uint32_t extra_rounds = 6; ///< beyond S, and beyond least_rounds(), at most
    std::uint32_t extra_steps = 4;  ///< beyond the fewest, at most
    std::uint32_t tree_parts = 480; ///< of an all-reduce over trees; 0: none
    /// Of the solver, for a question at most; 0 = no limit. All questions are asked with few conflicts first,
    /// then those that are open with more, so that a hard one does not stand before all others.
    std::uint64_t conflicts_each = 100'000;
    bool is_direct = true;     ///< does it look for schedules of the collective itself?
    bool has_halves = true;    ///< and of the halves of an all-reduce?
    bool by_time = true;       ///< does it begin with what the search by time finds?
    bool has_questions = true; ///< does it ask, for fewer steps and rounds, by satisfiability?
    SearchEnd end = {};        ///< what has been found by then is the front
    std::uint64_t seed = 1;
    unsigned workers = 1; ///< processes for questions that are hard; 0 = one for each core; changes nothing
    std::chrono::duration<double> least_to_hand_over = worth_handing_over; ///< to one of them
};

/// One point: a schedule of C parts in S steps and R rounds. It costs S alpha + (R/C) m beta.
struct FrontPoint {
    std::uint32_t parts;
    std::uint32_t steps;
    std::uint32_t rounds;
    Schedule schedule;
    std::string_view engine; ///< `exact`, `time`, `halves` or `trees`
    /// All questions for fewer rounds a chunk in as many steps, within the configuration, were answered "no"
    /// (by decide_sums() for what it asks), or R/C is at the bound.
    bool is_proven = false;
    bool is_least = false; ///< R/C is at least_round_ratio(): no schedule of any parts and steps has less
};

/// The points that no other one beats in both steps and rounds a chunk, by ascending steps; the first is of
/// the fewest steps that a schedule was found in. For S = diameter, diameter + 1, …: the least R/C first,
/// until there is a schedule (Cai et al., Synthesizing optimal collective algorithms, PPoPP 2021, Algorithm
/// 1). For all-reduce also reduce-scatter and allgather in sequence, from the front of the allgather (and of
/// the reduce-scatter, where links have no partners the other way), which have n times as many parts and the
/// steps and rounds of both, and one schedule over trees
/// (tree_all_reduce.hpp). What the search by time finds (timed_search.hpp), put into steps, is there first:
/// of what can be carried out there is always a schedule, unless the end comes before it.
///
/// `whole` is cut into parts (in_parts()). Empty if a receiver cannot be reached.
std::vector<FrontPoint> find_front(const LinkNetwork& network, const Collective& whole,
                                   const FrontConfig& config);

} // namespace nocturne
