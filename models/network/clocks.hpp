// Clocks of routers beside that of the network.
#pragma once

#include "models/network/configuration.hpp"
#include "models/topology/topology.hpp"

namespace nocturne {

/// Can the routers have the clocks that they have? Throws std::invalid_argument unless a cycle of every clock
/// is a whole number of picoseconds, as that of the network is, with what `cycle_ns` must be a multiple of;
/// and where there are several, for a selection that looks into other routers in the same cycle.
void require_clocks(const Topology& topology, const HardwareConfig& config);

/// Has a router another clock than the network?
bool has_own_clocks(const Topology& topology);

} // namespace nocturne
