// From a topology and a routing to the numbers of a wormhole network in hardware.
#pragma once

#include "models/hardware/network_plan.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// A hop of a route as the routers read it: the output, in the lowest bits, and which of class_vcs.
struct WormholePlan {
    NetworkPlan network;
    unsigned vcs = 1;
    unsigned vc_bits = 1;
    unsigned port_bits = 1;
    unsigned class_bits = 0; ///< 0 if there is one class
    /// The different sets of virtual channels that heads take one of, and by virtual channel: is it one? All
    /// of them are such a set, that of ejection links.
    std::vector<std::vector<bool>> class_vcs;
    unsigned route_bits = 1;
    unsigned data_bits = 32;
    unsigned destination_bits = 1;
    /// By source and destination: a hop for each router on the way.
    std::vector<std::vector<std::vector<std::uint32_t>>> routes;

    unsigned hop_bits() const { return port_bits + class_bits; }
    /// {valid, virtual channel, tail, route, data}
    unsigned flit_bits() const { return 2 + vc_bits + route_bits + data_bits; }
};

/// Throws std::invalid_argument for what wormhole_design() does not export.
WormholePlan plan_wormhole(const Topology& topology, const HardwareConfig& hardware, const Routing& routing);

} // namespace nocturne
