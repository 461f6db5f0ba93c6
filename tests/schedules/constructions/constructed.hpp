// What tests of constructions ask: is it valid, keeps it the limits of the problem, how many steps has it?
#pragma once

#include "models/routing/random.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

/// A strongly connected network: directed or not, with parallel channels, and routers with no, one or more
/// processors.
Topology random_network(SplitMix64& random);

/// Checks that there is a schedule for the problem which the validator accepts and no path of which is longer
/// than the slack allows; its number of steps.
std::size_t valid_steps(const std::optional<Schedule>& schedule, const Problem& problem);

} // namespace nocturne
