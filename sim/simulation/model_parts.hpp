// Which parts of their own a network may have at a level of the simulation.
#pragma once

#include "sim/simulation/network_model.hpp"

namespace nocturne {

/// What make_network() would refuse of the parts of a network, before anything runs: throws
/// std::invalid_argument as require_common_parts() at the message level, and as require_clocks().
void require_parts(NetworkModel model, const Topology& topology, const HardwareConfig& hardware);

} // namespace nocturne
