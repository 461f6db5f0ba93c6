#include "models/routing/path_cost.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {

bool latencies_differ(const Topology& topology)
{
    for (RouterId id = 0; topology.has_router_parts() && id < topology.router_count(); ++id)
        if (const RouterPart &one = topology.part(id), &first = topology.part(0);
            one.pipeline != first.pipeline || one.clock != first.clock)
            return true;
    const auto channels = topology.channels();
    return std::any_of(channels.begin(), channels.end(), [&](const Channel& channel) {
        return channel.latency_cycles != channels.front().latency_cycles;
    });
}

PathCost cost_on(const Topology& topology, const PathCost& cost)
{
    return latencies_differ(topology) ? cost : PathCost::hops();
}

std::string describe_minimal(const Topology& topology, const PathCost& cost)
{
    if (!latencies_differ(topology))
        return {};
    return cost.is_hops() ? "fewest hops"
           : cost.own_router_cycles.empty()
               ? fmt::format("least latency ({} cycles for a router and {} times the latency of a link)",
                             cost.router_cycles, cost.link_cycles)
               : fmt::format("least latency (each router's own cycles and {} times the latency of a link)",
                             cost.link_cycles);
}

} // namespace nocturne
