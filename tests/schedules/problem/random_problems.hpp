// Seeded random problems for property tests: networks and collectives of many kinds, all of which can be
// posed.
#pragma once

#include "schedules/problem/problem.hpp"

#include <cstdint>

namespace nocturne::test {

enum class Traffic { scatter, broadcast };

/// Strongly connected, one-way or two-way channels, now and then parallel ones, several processors at a
/// router, none, or processors ejected elsewhere than they inject; any port model; any switching and slack
/// that can be posed. Up to `routers` (2 or more) routers and as many processors.
Problem random_problem(std::uint64_t seed, unsigned routers, Traffic traffic);

} // namespace nocturne::test
