#include "models/fabric/fabric_plan.hpp"

#include "models/routing/acyclic_graph.hpp"
#include "models/routing/make_routing.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

Topology with_interfaces(const Topology& topology, const FabricPorts& ports)
{
    Topology result = topology;
    const auto add = [&](const FabricPort& port, std::string_view kind) {
        const Processor& processor = topology.processor(port.processor);
        result.add_processor(processor.injection, processor.ejection, fmt::format("{} {}", kind, port.name));
    };
    for (const FabricPort& port : ports.initiators)
        add(port, "initiator");
    for (const FabricPort& port : ports.targets)
        add(port, "target");
    return result;
}

/// What may wait for what: channels by class, and the links of the interfaces.
class ProtocolDependencies {
public:
    explicit ProtocolDependencies(const FabricPlan& plan)
        : plan_(plan), interfaces_(plan.network.channel_count() * plan.vc_classes),
          graph_(interfaces_ + 2 * plan.network.processor_count())
    {
    }

    void add(Leg leg, FlowId flow)
    {
        const Route& route = plan_.route(leg, flow);
        std::size_t before = injection(plan_.source(leg, flow));
        for (const Hop& hop : route) {
            insert(before, vertex(hop));
            before = vertex(hop);
        }
        insert(before, ejection(plan_.destination(leg, flow)));
    }

    /// A target takes no further request while its responses wait.
    void add_target(std::uint32_t target)
    {
        insert(ejection(plan_.target_interface(target)), injection(plan_.target_interface(target)));
    }

private:
    std::size_t vertex(const Hop& hop) const { return hop.channel * plan_.vc_classes + hop.vc_class; }
    std::size_t injection(ProcessorId id) const { return interfaces_ + 2 * std::size_t{id}; }
    std::size_t ejection(ProcessorId id) const { return injection(id) + 1; }

    std::string describe(std::size_t vertex) const
    {
        if (vertex < interfaces_)
            return fmt::format(
                "{} (class {})",
                describe_channel(plan_.network, static_cast<ChannelId>(vertex / plan_.vc_classes)),
                vertex % plan_.vc_classes);
        const Processor& processor =
            plan_.network.processor(static_cast<ProcessorId>((vertex - interfaces_) / 2));
        return fmt::format("the {} link of {}", (vertex - interfaces_) % 2 == 0 ? "injection" : "ejection",
                           processor.name);
    }

    void insert(std::size_t from, std::size_t to)
    {
        if (!graph_.insert(static_cast<AcyclicGraph::Vertex>(from), static_cast<AcyclicGraph::Vertex>(to)))
            throw std::invalid_argument(
                fmt::format("fabric: {}: requests and responses can deadlock: {} may wait for {}, which "
                            "closes a circular wait",
                            plan_.network.name(), describe(from), describe(to)));
    }

    const FabricPlan& plan_;
    std::size_t interfaces_;
    AcyclicGraph graph_;
};

void require_no_deadlock(const FabricPlan& plan)
{
    ProtocolDependencies dependencies(plan);
    for (std::uint32_t target = 0; target < plan.targets; ++target)
        dependencies.add_target(target);
    for (FlowId flow = 0; flow < plan.requests.size(); ++flow)
        dependencies.add(Leg::request, flow);
    for (FlowId flow = 0; flow < plan.responses.size(); ++flow)
        dependencies.add(Leg::response, flow);
}

Route in_classes_from(Route route, unsigned first)
{
    for (Hop& hop : route)
        hop.vc_class += first;
    return route;
}

} // namespace

FabricPlan plan_fabric(const Topology& topology, const FabricPorts& ports, const FabricConfig& config)
{
    config.validate();
    require_pairwise_size(topology, "a fabric");
    if (const std::string own = own_property(topology, {"pipeline", "buffers", "pool", "vcs", "packets",
                                                        "arbiter", "clock", "injection", "ejection"});
        !own.empty())
        throw std::invalid_argument(
            fmt::format("fabric: {}: {}; its routers are all alike", topology.name(), own));
    const Routing routing = make_routing(topology, config.routing, 1, config.hardware.path_cost_on(topology));
    if (!routing.in_order())
        throw std::invalid_argument(
            fmt::format("fabric: routing {}: one that gives each pair a single route beforehand is needed",
                        config.routing));
    FabricPlan plan;
    plan.network = with_interfaces(topology, ports);
    plan.initiators = static_cast<std::uint32_t>(ports.initiators.size());
    plan.targets = static_cast<std::uint32_t>(ports.targets.size());
    const bool is_shared = config.response_channels == ResponseChannels::shared;
    plan.vc_classes = routing.vc_classes.count() * (is_shared ? 1 : 2);
    if (plan.vc_classes > config.with_classes(plan.vc_classes).hardware.vcs)
        throw std::invalid_argument(fmt::format("fabric: {}: requests and responses need {} virtual channels "
                                                "with routing {}, the hardware has {}",
                                                topology.name(), plan.vc_classes, routing.name,
                                                config.hardware.vcs));
    for (const FabricPort& initiator : ports.initiators)
        for (const FabricPort& target : ports.targets) {
            plan.requests.push_back(routing.route(initiator.processor, target.processor));
            plan.responses.push_back(in_classes_from(routing.route(target.processor, initiator.processor),
                                                     is_shared ? 0 : routing.vc_classes.count()));
        }
    require_no_deadlock(plan);
    return plan;
}

} // namespace nocturne
