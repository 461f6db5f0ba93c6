// Terms that choose a network for the steps of its schedules.
#pragma once

#include "schedules/design/objective.hpp"

namespace nocturne::design {

/// What the all-to-all scatter takes at least on the network, in steps before they are rounded up: the load
/// of the busiest channel or port under the best fractional routing (solve_flow()), all-port, wormhole
/// switching, any paths. A linear program for each candidate that is not too bad
/// by its hops alone: tens of milliseconds for 16 nodes, seconds for 64.
ExtraTerm scatter_steps(double weight, const Request& request);

/// The lower bound on the steps of the all-to-all broadcast (lower_bound()), likewise, for any candidate.
ExtraTerm broadcast_steps(double weight);

} // namespace nocturne::design
