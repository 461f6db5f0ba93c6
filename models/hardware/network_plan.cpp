#include "models/hardware/network_plan.hpp"

#include "models/network/clocks.hpp"
#include "models/routing/adaptive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

/// Fills a plan: channels, then injection, then ejection, so that links and ports get their numbers in that
/// order.
/// Of a routing that looks into other routers.
void require_one_clock(const Topology& topology, const Routing& routing)
{
    const auto choice = routing.choice();
    if (choice && choice->knowledge == QueueKnowledge::global && has_own_clocks(topology))
        throw std::invalid_argument(fmt::format(
            "{}: routing {} looks into routers in the same cycle, and these have clocks of their own",
            topology.name(), routing.name));
}

class Planner {
public:
    Planner(const Topology& topology, const HardwareConfig& config, PortModel ports, const Routing& routing)
        : topology_(topology), config_(config), routing_(routing)
    {
        plan_.numbers = LinkPlan(topology, config, ports, routing.vc_classes);
        vcs_ = plan_.numbers.vcs();
        plan_.routers.resize(topology.router_count());
        for (RouterId id = 0; id < topology.router_count(); ++id) {
            plan_.routers[id].pipeline = config.pipeline_of(topology, id);
            plan_.routers[id].allocation = config.allocation_of(topology, id);
            plan_.routers[id].vcs = vcs_;
        }
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
        for (ProcessorId id = 0; id < topology_.processor_count(); ++id)
            add_ejection(id);
        if (config_.multicast != Multicast::unicasts) {
            require_copies();
            for (RouterId id = 0; id < topology_.router_count(); ++id)
                add_copies(id);
        }
        if (const auto adaptive = routing_.adaptive()) {
            require_own_buffers();
            add_adaptive_outputs(*adaptive);
        }
        if (const auto choice = routing_.choice()) {
            require_one_clock(topology_, routing_);
            for (RouterId id = 0; id < topology_.router_count(); ++id)
                plan_.routers[id].chooser = {depths(id), choice->threshold,
                                             choice->knowledge == QueueKnowledge::global};
        }
        return std::move(plan_);
    }

private:
    void add_channel(const Channel& channel)
    {
        const NetworkPlan::End from = add_output(channel.source);
        add_link(from, add_input(channel.target));
    }

    /// The next one.
    void add_link(NetworkPlan::End from, NetworkPlan::End to)
    {
        const std::uint32_t link = next_link();
        plan_.links.push_back({{link, plan_.numbers.latency_cycles(link), next_timing().cycles_per_flit,
                                config_.credit_cycles, plan_.numbers.departure_cycles(link)},
                               from,
                               to});
    }

    /// Of the links to other routers, whose numbers are those of their channels.
    void add_class_groups(RouterId id)
    {
        for (unsigned output = 0; output < plan_.out_of[id].size(); ++output)
            for (const VcClasses::Range& range :
                 routing_.vc_classes.shares(plan_.out_of[id][output], vcs_of(plan_.out_of[id][output])))
                plan_.routers[id].groups.push_back({output * vcs_ + range.first, range.count});
    }

    /// Of virtual channels: escapes are free of deadlock where a packet finds room once it has one.
    void require_own_buffers() const
    {
        if (const std::string own = own_property(topology_, {"pool"}); !own.empty())
            throw std::invalid_argument(
                fmt::format("{}: {}; adaptive routing counts on the whole buffer of a virtual channel",
                            topology_.name(), own));
    }

    void require_copies() const
    {
        const auto refuse = [&](const std::string& what) {
            throw std::invalid_argument(
                fmt::format("{}: {}, and multicasts as trees have their ways set, with one clock",
                            topology_.name(), what));
        };
        if (routing_.adaptive() || routing_.choice())
            refuse(fmt::format("routing {} leaves ways to routers", routing_.name));
        if (has_own_clocks(topology_))
            refuse("routers have clocks of their own");
    }

    /// Inputs for as many branches as can leave a router.
    void add_copies(RouterId id)
    {
        RouterConfig& router = plan_.routers[id];
        const std::vector<unsigned> depths = router.buffer_flits;
        const std::vector<std::uint32_t> links = plan_.into[id];
        router.copies = std::max<unsigned>(1, static_cast<unsigned>(router.groups.size()));
        for (unsigned copy = 1; copy < router.copies; ++copy) {
            router.buffer_flits.insert(router.buffer_flits.end(), depths.begin(), depths.end());
            plan_.into[id].insert(plan_.into[id].end(), links.begin(), links.end());
        }
    }

    /// Where packets may go that leave it to the routers.
    void add_adaptive_outputs(const AdaptiveRouting& routing)
    {
        const std::vector<RouterId> rows = ejection_routers(topology_);
        std::vector<AdaptiveOutputs> tables;
        for (RouterId id = 0; id < topology_.router_count(); ++id)
            tables.push_back(empty_outputs(routing, id, rows.size()));
        for (std::uint32_t row = 0; row < rows.size(); ++row) {
            tables[rows[row]].row = row;
            routing.visit_allowed(
                rows[row], [&](RouterId at, unsigned arrival, const AdaptiveRouting::Channels& allowed) {
                    AdaptiveOutputs& table = tables[at];
                    const std::uint32_t by_arrival = row * table.arrivals + arrival;
                    for (const ChannelId channel : allowed)
                        table.allowed.insert(by_arrival, plan_.links[channel].from.port);
                    if (!table.first.empty() && !allowed.empty())
                        table.first[by_arrival] = plan_.links[allowed.front()].from.port;
                    if (routing.has_escape() && at != rows[row])
                        table.escape[row] = group_of(routing.escape(at, rows[row]));
                });
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
        table.arrivals = routing.arrivals();
        for (const std::uint32_t link : plan_.into[router])
            table.arrival.push_back(link < topology_.channel_count() ? routing.arrival_by(link) : 0);
        table.allowed = BitRows(rows * table.arrivals, channels);
        table.selection = selection_of(routing, config_);
        table.seed = routing.seed();
        table.router = router;
        if (routing.has_escape())
            table.escape.resize(rows);
        if (table.selection == Selection::dyad)
            table.first.resize(rows * table.arrivals);
        const bool is_by_credits =
            table.selection != Selection::in_turn && table.selection != Selection::random;
        if (routing.has_escape() || is_by_credits)
            table.depth = depths(router);
        return table;
    }

    /// Of the buffers behind a router's channels.
    std::vector<unsigned> depths(RouterId router) const
    {
        std::vector<unsigned> result;
        for (std::size_t output = 0; output < topology_.channels_from(router).size(); ++output)
            result.push_back(plan_.routers[router].outputs[output].credits);
        return result;
    }

    std::uint32_t group_of(const Hop& hop) const
    {
        return plan_.links[hop.channel].from.port * routing_.vc_classes + hop.vc_class;
    }

    void add_injection(ProcessorId id)
    {
        const unsigned links = plan_.numbers.injection_links(id);
        if (links > most_ports)
            throw std::invalid_argument(fmt::format("{}: {} ports a processor; the hardware has {} at most",
                                                    topology_.name(), links, most_ports));
        plan_.interfaces.push_back({links, plan_.numbers.ejection_links(id), vcs_, next_timing().buffer_flits,
                                    config_.interface_cycles,
                                    config_.vcs_of(topology_, topology_.processor(id).injection),
                                    next_timing().rate});
        for (unsigned port = 0; port < links; ++port)
            add_link({id, port}, add_input(topology_.processor(id).injection));
    }

    void add_ejection(ProcessorId id)
    {
        const RouterId router = topology_.processor(id).ejection;
        RouterConfig& at = plan_.routers[router];
        const auto first = static_cast<std::uint32_t>(at.outputs.size()) * vcs_;
        for (unsigned port = 0; port < plan_.interfaces[id].eject_ports; ++port) {
            const NetworkPlan::End from = add_output(router);
            add_link(from, {id, port});
        }
        plan_.ejection_group.push_back(static_cast<std::uint32_t>(at.groups.size()));
        at.groups.push_back({first, plan_.numbers.ejection_vcs(config_.ejection_vcs_of(topology_, router),
                                                               plan_.interfaces[id].eject_ports)});
    }

    /// For the next link.
    NetworkPlan::End add_output(RouterId router)
    {
        plan_.routers[router].outputs.push_back({next_timing().buffer_flits, next_timing().cycles_per_flit,
                                                 next_timing().rate, next_timing().pool_flits});
        plan_.out_of[router].push_back(next_link());
        return {router, static_cast<unsigned>(plan_.out_of[router].size() - 1)};
    }

    NetworkPlan::End add_input(RouterId router)
    {
        plan_.routers[router].buffer_flits.push_back(next_timing().buffer_flits);
        plan_.into[router].push_back(next_link());
        return {router, static_cast<unsigned>(plan_.into[router].size() - 1)};
    }

    std::uint32_t next_link() const { return static_cast<std::uint32_t>(plan_.links.size()); }
    const LinkTiming& next_timing() const { return plan_.numbers.timing(next_link()); }

    unsigned vcs_of(ChannelId id) const { return config_.vcs_of(topology_, topology_.channel(id)); }

    const Topology& topology_;
    const HardwareConfig& config_;
    const Routing& routing_;
    unsigned vcs_ = 1; ///< the most that a link has
    NetworkPlan plan_;
};

} // namespace

Selection selection_of(const AdaptiveRouting& routing, const HardwareConfig& config)
{
    const bool is_by_credits = routing.has_escape() || routing.has_turn_rule();
    return config.selection.value_or(is_by_credits ? Selection::credits : Selection::in_turn);
}

std::string selection_taken(const Routing& routing, const HardwareConfig& config)
{
    const auto adaptive = routing.adaptive();
    return adaptive ? to_string(selection_of(*adaptive, config)) : std::string();
}

void check_selection(const Topology& topology, const Routing& routing, const HardwareConfig& config)
{
    if (config.selection && !routing.adaptive())
        throw std::invalid_argument(
            fmt::format("{}: selection {}: routing {} is not adaptive, and leaves routers nothing to select",
                        topology.name(), to_string(*config.selection), routing.name));
    require_one_clock(topology, routing);
}

NetworkPlan plan_network(const Topology& topology, const HardwareConfig& config, PortModel ports,
                         const Routing& routing)
{
    return Planner(topology, config, ports, routing).make();
}

} // namespace nocturne
