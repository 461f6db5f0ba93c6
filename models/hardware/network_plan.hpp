// From a topology to the configuration of every part and where each link leads: what the builder then only
// has to make.
#pragma once

#include "models/hardware/link.hpp"
#include "models/hardware/network_interface.hpp"
#include "models/hardware/router.hpp"
#include "models/network/link_plan.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

class AdaptiveRouting;

struct NetworkPlan {
    LinkPlan numbers;

    /// A port of a router, or of the network interface of a processor.
    struct End {
        std::uint32_t owner;
        unsigned port;
    };
    struct PlannedLink {
        LinkConfig config;
        End from; ///< a network interface for an injection link, otherwise a router
        End to;   ///< a network interface for an ejection link, otherwise a router
    };
    std::vector<PlannedLink> links;
    std::vector<RouterConfig> routers;
    std::vector<NetworkInterfaceConfig> interfaces; ///< by processor

    std::vector<std::vector<std::uint32_t>> into;   ///< by router and input: the link, of all its copies
    std::vector<std::vector<std::uint32_t>> out_of; ///< by router and output: the link
    std::vector<std::uint32_t> ejection_group;      ///< by processor: its output group at its ejection router
    std::vector<std::uint32_t> adaptive_row; ///< by processor: its row in AdaptiveOutputs, if there are any
};

/// What the configuration says, or else suits the routing: see HardwareConfig::selection.
Selection selection_of(const AdaptiveRouting& routing, const HardwareConfig& config);
/// Its name; empty if the routing is not adaptive.
std::string selection_taken(const Routing& routing, const HardwareConfig& config);

/// Throws std::invalid_argument if the configuration says how routers select outputs, and the routing leaves
/// them nothing to select; and for one that looks into other routers where these have clocks of their own.
void check_selection(const Topology& topology, const Routing& routing, const HardwareConfig& config);

/// Every link's virtual channels are shared out among the classes of `routing`
/// (VcClasses::shares()): output group `output * vc_classes + class` of a router is that class on that
/// output; the groups for ejection come after those. The topology must outlive the plan. Throws as LinkPlan,
/// and std::invalid_argument for more ports of a processor than the hardware has.
NetworkPlan plan_network(const Topology& topology, const HardwareConfig& config, PortModel ports,
                         const Routing& routing);

} // namespace nocturne
