#include "sim/traffic/link_demand.hpp"

#include <vector>

namespace nocturne {

namespace {

/// Flits per cycle.
struct LinkLoads {
    std::vector<double> channels; ///< by channel
    std::vector<double> ejected;  ///< by processor
};

void add_loads(const Topology& topology, const Routing& routing, const Traffic& traffic, LinkLoads& loads)
{
    // Destination by destination: a table-driven routing then stays in one table.
    std::vector<std::vector<double>> rows(topology.processor_count());
    for (ProcessorId source = 0; source < rows.size(); ++source)
        if (traffic.pattern.share(source) > 0)
            rows[source] = traffic.pattern.destinations(source);
    for (ProcessorId destination = 0; destination < rows.size(); ++destination)
        for (ProcessorId source = 0; source < rows.size(); ++source) {
            if (rows[source].empty() || rows[source][destination] == 0)
                continue;
            const double flits = traffic.load * traffic.pattern.share(source) * rows[source][destination];
            loads.ejected[destination] += flits;
            if (routing.in_order())
                for (const Hop& hop : routing.route(source, destination))
                    loads.channels[hop.channel] += flits;
        }
}

} // namespace

LinkDemand highest_demand(const LinkPlan& plan, std::span<const ClassTraffic> classes)
{
    const Topology& topology = plan.topology();
    LinkLoads loads{std::vector<double>(topology.channel_count()),
                    std::vector<double>(topology.processor_count())};
    for (const ClassTraffic& each : classes)
        add_loads(topology, each.routing, each.traffic, loads);
    LinkDemand highest;
    const auto take = [&](std::uint32_t link, double demand) {
        if (demand > highest.demand)
            highest = {plan.link_name(link), demand};
    };
    // A thousand of them, which are whole cycles of the network or nearly so.
    const auto cycles_of_flit = [&](std::uint32_t link) {
        constexpr std::uint64_t many = 1000;
        return static_cast<double>(plan.network_cycles(link, many * plan.timing(link).cycles_per_flit)) /
               many;
    };
    for (ChannelId id = 0; id < loads.channels.size(); ++id)
        take(id, loads.channels[id] * cycles_of_flit(id));
    for (ProcessorId id = 0; id < loads.ejected.size(); ++id)
        take(plan.first_ejection_link(id),
             loads.ejected[id] * cycles_of_flit(plan.first_ejection_link(id)) / plan.ejection_links(id));
    return highest;
}

} // namespace nocturne
