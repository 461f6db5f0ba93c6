// Problems small enough to be decided by trying everything, and that: independent of what it is compared with.
#pragma once

#include "schedules/problem/problem.hpp"

#include <cstdint>
#include <optional>

namespace nocturne::test {

/// Two to four routers and processors, one-way or two-way channels, parallel ones, processors that share a router or are
/// ejected elsewhere; any collective, port model and switching, with and without slack.
Problem random_small_problem(std::uint64_t seed);

/// The fewest steps of a schedule, at most `most`: by breadth-first search over who has what. Nothing if there is none.
std::optional<unsigned> fewest_steps(const Problem& problem, unsigned most);

} // namespace nocturne::test
