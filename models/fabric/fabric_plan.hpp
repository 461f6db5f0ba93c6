// From topology, ports and routing to the routes of requests and responses: what every timing of a fabric
// needs to know of the network.
#pragma once

#include "models/fabric/fabric_config.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/topology.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// The two ways of a transaction through the network.
enum class Leg : std::uint8_t { request, response };

/// From one initiator to one target: `initiator * targets + target`.
using FlowId = std::uint32_t;

/// The network with an interface of its own for each port, behind those of its processors: first the
/// initiators, then the targets. A request goes from an initiator's interface to a target's, its response
/// back: the interfaces share nothing but the channels between routers.
struct FabricPlan {
    Topology network{""};
    std::uint32_t initiators = 0;
    std::uint32_t targets = 0;
    unsigned vc_classes = 1;      ///< of requests and responses together
    std::vector<Route> requests;  ///< by flow
    std::vector<Route> responses; ///< by flow

    FlowId flow(std::uint32_t initiator, std::uint32_t target) const { return initiator * targets + target; }
    ProcessorId initiator_interface(std::uint32_t initiator) const
    {
        return static_cast<ProcessorId>(network.processor_count()) - targets - initiators + initiator;
    }
    ProcessorId target_interface(std::uint32_t target) const
    {
        return static_cast<ProcessorId>(network.processor_count()) - targets + target;
    }
    const Route& route(Leg leg, FlowId flow) const
    {
        return leg == Leg::request ? requests[flow] : responses[flow];
    }
    /// Where a packet of a leg enters the network, and where it leaves.
    ProcessorId source(Leg leg, FlowId flow) const
    {
        return leg == Leg::request ? initiator_interface(flow / targets) : target_interface(flow % targets);
    }
    ProcessorId destination(Leg leg, FlowId flow) const
    {
        return leg == Leg::request ? target_interface(flow % targets) : initiator_interface(flow / targets);
    }
};

/// The ports must be ones that check_ports() accepts. Throws std::invalid_argument, besides what
/// make_routing() throws: for a routing that gives a pair more than one route or leaves it to the routers;
/// for less virtual channels than requests and responses need; and if messages can be in a circular wait,
/// requests that wait at their target for responses to leave included (Dally and Towles, Principles and
/// Practices of Interconnection Networks, section 14.1.5).
FabricPlan plan_fabric(const Topology& topology, const FabricPorts& ports, const FabricConfig& config);

} // namespace nocturne
