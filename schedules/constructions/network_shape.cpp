#include "schedules/constructions/network_shape.hpp"

#include <algorithm>
#include <limits>

namespace nocturne {

std::optional<ChannelId> find_channel(const Topology& topology, RouterId from, RouterId to)
{
    for (const ChannelId id : topology.channels_from(from))
        if (topology.channel(id).target == to)
            return id;
    return std::nullopt;
}

std::optional<std::vector<ProcessorId>> processors_of_routers(const Topology& topology)
{
    std::vector<ProcessorId> processors;
    for (RouterId r = 0; r < topology.router_count(); ++r) {
        const auto injecting = topology.processors_injecting_into(r);
        const auto ejected = topology.processors_ejected_by(r);
        if (injecting.size() != 1 || ejected.size() != 1 || injecting[0] != ejected[0])
            return std::nullopt;
        processors.push_back(injecting[0]);
    }
    return processors;
}

unsigned common_ports(const Problem& problem)
{
    unsigned ports = std::numeric_limits<unsigned>::max();
    for (ProcessorId p = 0; p < problem.topology.processor_count(); ++p)
        ports = std::min({ports, send_ports(problem.topology, p, problem.ports),
                          receive_ports(problem.topology, p, problem.ports)});
    return ports;
}

} // namespace nocturne
