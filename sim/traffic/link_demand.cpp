#include "sim/traffic/link_demand.hpp"

#include <vector>

namespace nocturne {

LinkDemand highest_demand(const LinkPlan& plan, const Routing& routing, const Traffic& traffic)
{
    const Topology& topology = plan.topology();
    std::vector<double> channels(topology.channel_count()); // flits per cycle
    std::vector<double> ejected(topology.processor_count());
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
            ejected[destination] += flits;
            if (routing.in_order())
                for (const Hop& hop : routing.route(source, destination))
                    channels[hop.channel] += flits;
        }
    LinkDemand highest;
    const auto take = [&](std::uint32_t link, double demand) {
        if (demand > highest.demand)
            highest = {plan.link_name(link), demand};
    };
    for (ChannelId id = 0; id < channels.size(); ++id)
        take(id, channels[id] * plan.timing(id).cycles_per_flit);
    for (ProcessorId id = 0; id < ejected.size(); ++id)
        take(plan.first_ejection_link(id), ejected[id] / plan.ejection_links(id));
    return highest;
}

} // namespace nocturne
