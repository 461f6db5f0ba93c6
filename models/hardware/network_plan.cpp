#include "models/hardware/network_plan.hpp"

#include "models/routing/adaptive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

/// Each is a link of its own on each side of a network interface.

/// Fills a plan: channels, then injection, then ejection, so that links and ports get their numbers in that
/// order.
class Planner {
public:
    Planner(const Topology& topology, const HardwareConfig& config, PortModel ports, const Routing& routing)
        : topology_(topology), config_(config), ports_(ports), routing_(routing),
          pipeline_(config.pipeline_of(topology))
    {
        RouterConfig router;
        router.pipeline = pipeline_;
        router.allocation = config.allocation;
        router.vcs = config.vcs;
        plan_.routers.assign(topology.router_count(), router);
        plan_.into.resize(topology.router_count());
        plan_.out_of.resize(topology.router_count());
    }

    NetworkPlan make()
    {
        for (ChannelId id = 0; id < topology_.channel_count(); ++id)
            add_channel(topology_.channel(id));
        for (RouterId id = 0; id < topology_.router_count(); ++id)
            add_class_groups(id);
        for (ProcessorId id = 0; id < topology_.processor_count(); ++id)
            add_injection(id);
        plan_.injection_links.push_back(next_link());
        for (ProcessorId id = 0; id < topology_.processor_count(); ++id)
            add_ejection(id);
        plan_.ejection_links.push_back(next_link());
        if (const auto adaptive = routing_.adaptive())
            add_adaptive_outputs(*adaptive);
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

    /// Of the links to other routers, whose numbers are those of their channels.
    void add_class_groups(RouterId id)
    {
        for (unsigned output = 0; output < plan_.out_of[id].size(); ++output)
            for (const VcClasses::Range& range :
                 routing_.vc_classes.shares(plan_.out_of[id][output], config_.vcs))
                plan_.routers[id].groups.push_back({output * config_.vcs + range.first, range.count});
    }

    /// Where packets may go that leave it to the routers.
    void add_adaptive_outputs(const AdaptiveRouting& routing)
    {
        const std::vector<RouterId> rows = ejection_routers(topology_);
        std::vector<AdaptiveOutputs> tables;
        for (RouterId id = 0; id < topology_.router_count(); ++id)
            tables.push_back(empty_outputs(routing, id, rows.size()));
        for (std::uint32_t row = 0; row < rows.size(); ++row) {
            const MinimalPaths ways = routing.paths_to(rows[row]);
            tables[rows[row]].row = row;
            for (const RouterId at : ways.routers()) {
                for (const ChannelId channel : ways.channels(at))
                    tables[at].minimal.insert(row, plan_.links[channel].from.port);
                if (routing.has_escape() && at != rows[row])
                    tables[at].escape[row] = group_of(routing.escape(at, rows[row]));
            }
        }
        for (const Processor& processor : topology_.processors())
            plan_.adaptive_row.push_back(tables[processor.ejection].row);
        for (RouterId id = 0; id < topology_.router_count(); ++id)
            plan_.routers[id].adaptive = std::make_shared<const AdaptiveOutputs>(std::move(tables[id]));
    }

    AdaptiveOutputs empty_outputs(const AdaptiveRouting& routing, RouterId router, std::size_t rows) const
    {
        const std::size_t channels = topology_.channels_from(router).size();
        AdaptiveOutputs table;
        table.classes = routing_.vc_classes;
        table.minimal = BitRows(rows, channels);
        if (routing.has_escape()) {
            table.escape.resize(rows);
            for (std::size_t output = 0; output < channels; ++output)
                table.depth.push_back(plan_.routers[router].outputs[output].credits);
        }
        return table;
    }

    std::uint32_t group_of(const Hop& hop) const
    {
        return plan_.links[hop.channel].from.port * routing_.vc_classes + hop.vc_class;
    }

    void add_injection(ProcessorId id)
    {
        const unsigned buffer = buffer_for(config_.link_cycles);
        const unsigned links = send_ports(topology_, id, ports_);
        if (links > most_ports)
            throw std::invalid_argument(fmt::format("{}: {} ports a processor; the hardware has {} at most",
                                                    topology_.name(), links, most_ports));
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
    unsigned buffer_for(unsigned latency) const { return config_.buffer_depth(pipeline_, latency); }

    const Topology& topology_;
    const HardwareConfig& config_;
    const PortModel ports_;
    const Routing& routing_;
    const Pipeline& pipeline_;
    NetworkPlan plan_;
};

} // namespace

NetworkPlan plan_network(const Topology& topology, const HardwareConfig& config, PortModel ports,
                         const Routing& routing)
{
    return Planner(topology, config, ports, routing).make();
}

} // namespace nocturne
