#include "models/routing/distances.hpp"
#include "schedules/satisfiability/relayed_encoding.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {
namespace {

/// Literals of the form with flows.
std::uint64_t literals_of_relayed_flows(const Problem& problem, unsigned steps)
{
    const Topology& topology = problem.topology;
    const std::uint64_t messages = problem.collective.messages().size();
    std::uint64_t literals = messages * topology.processor_count() * 4;
    for (const Channel& channel : topology.channels()) {
        const std::uint64_t joins = topology.channels_from(channel.target).size();
        const std::uint64_t receivers = topology.processors_ejected_by(channel.target).size();
        const std::uint64_t senders = topology.processors_injecting_into(channel.source).size();
        literals += messages * (2 + literals_per_exclusion + 6 * joins + 9 * receivers + 3 * senders);
    }
    return literals * steps > most_literals ? too_large : literals * steps;
}

/// Does a path lead from every processor to every other?
bool is_connected(const Topology& topology)
{
    for (RouterId router = 0; router < topology.router_count(); ++router) {
        if (topology.processors_injecting_into(router).empty())
            continue;
        const std::vector<std::uint32_t> distances = distances_from(topology, router);
        if (std::any_of(topology.processors().begin(), topology.processors().end(),
                        [&](const Processor& to) { return distances[to.ejection] == unreachable; }))
            return false;
    }
    return true;
}

/// Literals for a path of some length, in all steps.
std::uint64_t literals_of_path(const Problem& problem, unsigned steps, std::size_t hops)
{
    return (problem.collective.messages().size() * (9 + literals_per_exclusion) +
            literals_per_exclusion * (2 + hops)) *
           steps;
}

} // namespace

RelayedPlan plan_relayed(const Problem& problem, unsigned steps)
{
    const std::uint64_t messages = problem.collective.messages().size();
    std::uint64_t literals = 4 * messages * problem.topology.processor_count() * steps;
    if (literals > most_literals)
        return {{}, false, too_large};
    const bool any_path = problem.switching == Switching::wormhole && !problem.slack;
    const std::uint64_t flows = any_path ? literals_of_relayed_flows(problem, steps) : too_large;
    const std::uint64_t most = std::min(flows, most_literals);
    const std::uint64_t processors = problem.topology.processor_count();
    // Each pair has a path at least: often that is enough to know that listing them all is too much.
    const bool are_too_many = problem.switching == Switching::wormhole &&
                              processors * (processors - 1) * literals_of_path(problem, steps, 0) > most &&
                              is_connected(problem.topology);
    if (are_too_many && flows == too_large)
        return {{}, false, too_large};
    std::vector<Pair> pairs;
    for (ProcessorId source = 0; source < processors; ++source)
        for (ProcessorId destination = 0; destination < processors; ++destination)
            if (source != destination)
                pairs.push_back({source, destination});
    const auto cost = [&](const CandidatePath& candidate) {
        const std::uint64_t its = literals_of_path(problem, steps, candidate.path.size());
        literals += its;
        return its;
    };
    if (auto paths = are_too_many ? std::nullopt : list_candidate_paths(problem, pairs, cost, most))
        return {std::move(*paths), false, literals};
    // Processors at one router send each other what no channel carries.
    CandidatePaths at_one_router;
    for (const auto [source, destination] : pairs)
        if (problem.topology.processor(source).injection == problem.topology.processor(destination).ejection)
            at_one_router.all.push_back({source, destination, {}});
    return {std::move(at_one_router), true, flows};
}

} // namespace nocturne
