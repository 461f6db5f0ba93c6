#include "models/hardware/network_plan.hpp"

#include <algorithm>

namespace nocturne {

namespace {

/// Fills a plan: channels, then injection, then ejection, so that links and ports get their numbers in that order.
class Planner {
public:
    Planner(const Topology& topology, const HardwareConfig& config, PortModel ports, unsigned vc_classes)
        : topology_(topology), config_(config), ports_(ports), vc_classes_(vc_classes),
          pipeline_(config.pipeline_of(topology))
    {
        RouterConfig router;
        router.pipeline = pipeline_;
        router.vcs = config.vcs;
        plan_.routers.assign(topology.router_count(), router);
        plan_.into.resize(topology.router_count());
        plan_.out_of.resize(topology.router_count());
    }

    NetworkPlan make()
    {
        for (ChannelId id = 0; id < topology_.channel_count(); ++id)
            add_channel(topology_.channel(id));
        for (RouterConfig& router : plan_.routers)
            add_class_groups(router);
        for (ProcessorId id = 0; id < topology_.processor_count(); ++id)
            add_injection(id);
        plan_.injection_links.push_back(next_link());
        for (ProcessorId id = 0; id < topology_.processor_count(); ++id)
            add_ejection(id);
        plan_.ejection_links.push_back(next_link());
        return std::move(plan_);
    }

private:
    void add_channel(const Channel& channel)
    {
        const unsigned latency = channel.latency_cycles * config_.link_cycles;
        const unsigned occupied = config_.cycles_per_flit(channel);
        const unsigned buffer = buffer_for(latency);
        const std::uint32_t link = next_link();
        plan_.links.push_back({{link, latency, occupied, config_.credit_cycles, departure()},
                               add_output(channel.source, link, {buffer, occupied}),
                               add_input(channel.target, link, buffer)});
    }

    void add_class_groups(RouterConfig& router) const
    {
        for (unsigned output = 0; output < router.outputs.size(); ++output)
            for (unsigned vc_class = 0; vc_class < vc_classes_; ++vc_class) {
                const unsigned first = vc_class * config_.vcs / vc_classes_;
                const unsigned next = (vc_class + 1) * config_.vcs / vc_classes_;
                router.groups.push_back({output * config_.vcs + first, next - first});
            }
    }

    void add_injection(ProcessorId id)
    {
        const unsigned buffer = buffer_for(config_.link_cycles);
        const unsigned links = send_ports(topology_, id, ports_);
        plan_.interfaces.push_back(
            {links, receive_ports(topology_, id, ports_), config_.vcs, buffer, config_.interface_cycles});
        plan_.injection_links.push_back(next_link());
        for (unsigned port = 0; port < links; ++port) {
            const std::uint32_t link = next_link();
            plan_.links.push_back({{link, config_.link_cycles, 1, config_.credit_cycles, 0},
                                   {id, port},
                                   add_input(topology_.processor(id).injection, link, buffer)});
        }
    }

    void add_ejection(ProcessorId id)
    {
        const RouterId router = topology_.processor(id).ejection;
        RouterConfig& at = plan_.routers[router];
        const auto first = static_cast<std::uint32_t>(at.outputs.size()) * config_.vcs;
        // The interface takes a flit at once: the credits have only to cover the way there and back.
        const unsigned credits =
            std::max(config_.buffer_flits, config_.full_rate_buffer_flits(pipeline_, config_.link_cycles));
        plan_.ejection_links.push_back(next_link());
        for (unsigned port = 0; port < plan_.interfaces[id].eject_ports; ++port) {
            const std::uint32_t link = next_link();
            plan_.links.push_back({{link, config_.link_cycles, 1, config_.credit_cycles, departure()},
                                   add_output(router, link, {credits, 1}),
                                   {id, port}});
        }
        plan_.ejection_group.push_back(static_cast<std::uint32_t>(at.groups.size()));
        at.groups.push_back({first, static_cast<std::uint32_t>(at.outputs.size()) * config_.vcs - first});
    }

    NetworkPlan::End add_output(RouterId router, std::uint32_t link, RouterConfig::Output output)
    {
        plan_.routers[router].outputs.push_back(output);
        plan_.out_of[router].push_back(link);
        return {router, static_cast<unsigned>(plan_.out_of[router].size() - 1)};
    }

    NetworkPlan::End add_input(RouterId router, std::uint32_t link, unsigned buffer)
    {
        plan_.routers[router].buffer_flits.push_back(buffer);
        plan_.into[router].push_back(link);
        return {router, static_cast<unsigned>(plan_.into[router].size() - 1)};
    }

    std::uint32_t next_link() const { return static_cast<std::uint32_t>(plan_.links.size()); }
    unsigned departure() const { return 1 + pipeline_.switch_traversal; }
    unsigned buffer_for(unsigned latency) const
    {
        return config_.buffer_flits != 0 ? config_.buffer_flits
                                         : config_.full_rate_buffer_flits(pipeline_, latency);
    }

    const Topology& topology_;
    const HardwareConfig& config_;
    const PortModel ports_;
    const unsigned vc_classes_;
    const Pipeline& pipeline_;
    NetworkPlan plan_;
};

} // namespace

NetworkPlan plan_network(const Topology& topology, const HardwareConfig& config, PortModel ports,
                         unsigned vc_classes)
{
    return Planner(topology, config, ports, vc_classes).make();
}

} // namespace nocturne
