#include "sim/traffic/link_demand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace nocturne {

LinkDemand highest_demand(const Topology& topology, const Routing& routing, const MeasuredNetwork& network,
                          const Traffic& traffic)
{
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
    const auto take = [&](double demand, auto name) {
        if (demand > highest.demand)
            highest = {name(), demand};
    };
    for (ChannelId id = 0; id < channels.size(); ++id)
        take(channels[id] * network.hardware.cycles_per_flit(topology.channel(id)), [&] {
            return fmt::format("{}->{}", topology.router_name(topology.channel(id).source),
                               topology.router_name(topology.channel(id).target));
        });
    for (ProcessorId id = 0; id < ejected.size(); ++id)
        take(ejected[id] / receive_ports(topology, id, network.ports), [&] {
            return fmt::format("{}->P{}", topology.router_name(topology.processor(id).ejection),
                               topology.processor(id).name);
        });
    return highest;
}

} // namespace nocturne
