// Problems small enough to be decided by trying everything, and that: independent of what it is compared
// with.
#pragma once

#include "schedules/problem/problem.hpp"

#include <cstdint>
#include <optional>

namespace nocturne::test {

/// Two to four routers and processors, one-way or two-way channels, parallel ones, processors that share a
/// router or are ejected elsewhere; any collective, port model and switching, with and without slack.
Problem random_small_problem(std::uint64_t seed);

/// The same with up to six processors and small multistage networks, any sets of senders and receivers, and
/// broken channels and routers: some of these problems cannot be posed.
Problem random_broken_problem(std::uint64_t seed);

/// Can every receiver get its message in any number of steps? By trying every transfer again and again.
bool can_be_delivered(const Problem& problem);

/// The fewest steps of a schedule, at most `most`: by breadth-first search over who has what. Nothing if
/// there is none.
std::optional<unsigned> fewest_steps(const Problem& problem, unsigned most);

} // namespace nocturne::test
