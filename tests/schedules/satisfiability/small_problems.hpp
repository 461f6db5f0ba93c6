// Problems small enough to be decided by trying everything (bounds/shortest_schedule.hpp).
#pragma once

#include "schedules/problem/problem.hpp"

#include <cstdint>

namespace nocturne::test {

/// Two to four routers and processors, one-way or two-way channels, parallel ones, processors that share a
/// router or are ejected elsewhere; any collective, port model and switching, with and without slack.
Problem random_small_problem(std::uint64_t seed);

/// The same with up to six processors and small multistage networks, any sets of senders and receivers, and
/// broken channels and routers: some of these problems cannot be posed.
Problem random_broken_problem(std::uint64_t seed);

} // namespace nocturne::test
