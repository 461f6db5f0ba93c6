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
    for (ChannelId id = 0; id < loads.channels.size(); ++id)
        take(id, loads.channels[id] * plan.timing(id).cycles_per_flit);
    for (ProcessorId id = 0; id < loads.ejected.size(); ++id)
        take(plan.first_ejection_link(id), loads.ejected[id] / plan.ejection_links(id));
    return highest;
}

} // namespace nocturne
