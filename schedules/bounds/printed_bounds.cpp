#include "schedules/bounds/printed_bounds.hpp"

#include "models/routing/distances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace nocturne::formulas {
namespace {

void require(std::string_view what, std::uint64_t given, std::uint64_t least)
{
    if (given < least)
        throw std::invalid_argument(fmt::format("{} {}: a bound needs at least {}", given, what, least));
}

std::uint64_t ceil_of_ratio(std::uint64_t numerator, std::uint64_t denominator)
{
    return (numerator + denominator - 1) / denominator;
}

} // namespace

std::uint64_t oab_steps(std::uint64_t processors, std::uint64_t ports)
{
    require("processors", processors, 2);
    require("ports", ports, 1);
    // In whole numbers: a logarithm would round the powers of k + 1.
    std::uint64_t steps = 0;
    for (std::uint64_t rest = processors; rest > 1; rest = ceil_of_ratio(rest, ports + 1))
        ++steps;
    return steps;
}

std::uint64_t port_steps(std::uint64_t processors, std::uint64_t ports)
{
    require("processors", processors, 2);
    require("ports", ports, 1);
    return ceil_of_ratio(processors - 1, ports);
}

namespace {

/// Hops of all shortest paths between different processors.
std::uint64_t sum_of_distances(const Topology& topology)
{
    std::uint64_t sum = 0;
    for (const Processor& from : topology.processors()) {
        const auto distances = distances_from(topology, from.injection);
        for (const Processor& to : topology.processors())
            sum += &from == &to ? 0 : distances[to.ejection];
    }
    return sum;
}

} // namespace

std::vector<PrintedBound> printed_bounds(const Problem& problem)
{
    const Topology& topology = problem.topology;
    const std::uint64_t processors = topology.processor_count();
    std::uint64_t ports = 1;
    for (ProcessorId id = 0; id < processors; ++id)
        ports = std::max<std::uint64_t>(ports, send_ports(topology, id, problem.ports));
    const std::string numbers = fmt::format("P = {}, k = {}", processors, ports);
    const std::string everyone = "GECCO 2007, GECCO 2009, Jaros and Dvorak";
    if (!is_among_all(problem.collective, problem.collective.kind))
        return {};
    const PrintedBound by_ports{port_steps(processors, ports), "ceil((P - 1) / k) with " + numbers, everyone};
    switch (problem.collective.kind) {
    case CollectiveKind::broadcast:
        return {{oab_steps(processors, ports), "ceil(log_{k+1} P) with " + numbers, everyone}};
    case CollectiveKind::allgather:
    case CollectiveKind::scatter:
    case CollectiveKind::gather:
        return {by_ports};
    case CollectiveKind::alltoall: {
        std::vector<PrintedBound> printed{by_ports};
        // Of the channels of a regular network there are P k.
        if (const std::uint64_t channels = topology.channel_count(); channels > 0) {
            const std::uint64_t distances = sum_of_distances(topology);
            printed.push_back(
                {ceil_of_ratio(distances, channels),
                 fmt::format("ceil(S / C) with S = {} hops, C = {} channels", distances, channels),
                 "Jaros and Dvorak"});
        }
        return printed;
    }
    default:
        return {};
    }
}

} // namespace nocturne::formulas
