#include "schedules/problem/problem.hpp"

#include "models/routing/distances.hpp"
#include "schedules/problem/store_and_forward.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

/// How far each processor is from `origin`, or that it cannot be reached.
std::vector<std::uint32_t> reach(const Problem& problem, ProcessorId origin)
{
    const Topology& topology = problem.topology;
    if (problem.switching == Switching::store_and_forward)
        return transfers_from(topology, origin);
    const auto by_router = distances_from(topology, topology.processor(origin).injection);
    std::vector<std::uint32_t> distances;
    for (const Processor& processor : topology.processors())
        distances.push_back(by_router[processor.ejection]);
    return distances;
}

/// Throws for the first receiver that its message cannot get to.
void check_reachable(const Problem& problem)
{
    const Topology& topology = problem.topology;
    std::vector<std::uint32_t> distances;
    std::optional<ProcessorId> origin;
    for (const Message& message : problem.collective.messages) {
        // Messages come in the order of their origins: one search for each.
        if (origin != message.origin) {
            distances = reach(problem, message.origin);
            origin = message.origin;
        }
        for (const ProcessorId receiver : message.receivers)
            if (distances[receiver] == unreachable)
                throw std::invalid_argument(fmt::format(
                    "{}: processor {} cannot be reached from {}{}", topology.name(),
                    topology.processor(receiver).name, topology.processor(message.origin).name,
                    problem.switching == Switching::store_and_forward ? " by hops from processor to processor"
                                                                      : ""));
    }
}

} // namespace

void check(const Problem& problem)
{
    if (problem.collective.processors != problem.topology.processor_count())
        throw std::invalid_argument(fmt::format(
            "{} for {} processors, but {} has {}", to_string(problem.collective.kind),
            problem.collective.processors, problem.topology.name(), problem.topology.processor_count()));
    if (problem.switching == Switching::store_and_forward && problem.slack)
        throw std::invalid_argument(
            "a slack is for wormhole switching: under store-and-forward a path is one hop");
    check_reachable(problem);
}

Problem make_problem(Topology topology, Collective collective)
{
    const PortModel ports = topology.default_ports();
    Problem problem{std::move(topology), std::move(collective), ports};
    check(problem);
    return problem;
}

std::string describe(const Problem& problem)
{
    const std::string ports = problem.ports.is_all_port() ? "all" : to_string(problem.ports);
    std::string text = fmt::format("{} on {}, {}-port, {}", to_string(problem.collective.kind),
                                   problem.topology.name(), ports, to_string(problem.switching));
    if (problem.slack == 0U)
        text += ", minimal paths";
    else if (problem.slack)
        text += fmt::format(", slack {}", *problem.slack);
    return text;
}

} // namespace nocturne
