#include "schedules/constructions/network_shape.hpp"

#include "models/routing/distances.hpp"

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

bool keeps_path_limits(const Problem& problem, const Schedule& schedule)
{
    const bool one_hop = problem.switching == Switching::store_and_forward;
    std::vector<std::vector<std::uint32_t>> distances(
        problem.topology.router_count()); // by source, as needed
    const auto keeps = [&](const Transfer& transfer) {
        const std::size_t hops = transfer.path->size();
        if (hops <= 1 || one_hop) // the shortest path between two routers, or within one
            return hops <= 1;
        if (!problem.slack)
            return true;
        const Endpoints ends = endpoints(problem.topology, transfer.source, transfer.destination);
        if (distances[ends.source].empty())
            distances[ends.source] = distances_from(problem.topology, ends.source);
        return hops <= distances[ends.source][ends.destination] + std::size_t{*problem.slack};
    };
    return std::all_of(schedule.steps.begin(), schedule.steps.end(),
                       [&](const Step& step) { return std::all_of(step.begin(), step.end(), keeps); });
}

} // namespace nocturne
