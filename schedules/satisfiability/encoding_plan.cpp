#include "models/routing/distances.hpp"
#include "schedules/satisfiability/encoders.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace nocturne {
namespace {

/// Is the slack of the problem, which has one, so large that no path exceeds it?
bool allows_all_paths(const Problem& problem)
{
    // No path visits a router twice.
    return *problem.slack >= problem.topology.router_count() - 1;
}

} // namespace

Pair ends_of(const Message& message)
{
    return {message.origin, message.receivers.front()};
}

std::vector<ChannelId> ChannelsOfMessages::operator()(const Message& message)
{
    const Topology& topology = problem_.topology;
    const auto [source, destination] =
        endpoints(topology, ends_of(message).source, ends_of(message).destination);
    if (from_[source].empty())
        from_[source] = distances_from(topology, source);
    if (to_[destination].empty())
        to_[destination] = distances_to(topology, destination);
    std::vector<ChannelId> channels;
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const auto [a, b] = std::pair{topology.channel(id).source, topology.channel(id).target};
        if (a == b || b == source || a == destination || from_[source][a] == unreachable ||
            to_[destination][b] == unreachable)
            continue;
        // A walk along channels of minimal paths is a minimal path.
        if (allows_all_paths(problem_) ||
            from_[source][a] + 1 + to_[destination][b] == from_[source][destination])
            channels.push_back(id);
    }
    return channels;
}

namespace {

/// Literals of the form with flows; too_large if they cannot keep to the slack.
std::uint64_t literals_of_flows(const Problem& problem, unsigned steps)
{
    if (*problem.slack > 0 && !allows_all_paths(problem))
        return too_large;
    std::uint64_t literals = 0;
    ChannelsOfMessages channels_of(problem);
    for (const Message& message : problem.collective.messages()) {
        for (const ChannelId channel : channels_of(message)) {
            const std::size_t next =
                problem.topology.channels_from(problem.topology.channel(channel).target).size();
            literals += 2 * (1 + next) + 3 * literals_per_exclusion;
        }
        literals += 3 * literals_per_exclusion;
        if (literals * steps > most_literals)
            return too_large;
    }
    return literals * steps;
}

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

/// The paths of the pairs, if their formula, in which a path costs so many literals beside the `literals` of
/// all else, has at most `most`; otherwise nothing.
template <class Cost>
std::optional<EncodingPlan> plan_of_paths(const Problem& problem, std::span<const Pair> pairs,
                                          std::uint64_t literals, std::uint64_t most, Cost cost_of_path)
{
    const auto cost = [&](const CandidatePath& candidate) {
        const std::uint64_t its = cost_of_path(candidate.path.size());
        literals += its;
        return its;
    };
    auto paths = list_candidate_paths(problem, pairs, cost, most);
    return paths ? std::optional(EncodingPlan{literals, false, std::move(*paths)}) : std::nullopt;
}

} // namespace

EncodingPlan plan_direct(const Problem& problem, unsigned steps)
{
    const std::uint64_t literals = 3 * literals_per_exclusion * problem.collective.messages().size() * steps;
    if (literals > most_literals)
        return {.literals = too_large};
    std::vector<Pair> pairs;
    for (const Message& message : problem.collective.messages())
        pairs.push_back(ends_of(message));
    const std::uint64_t flows = literals_of_flows(problem, steps);
    auto plan = plan_of_paths(problem, pairs, literals, std::min(flows, most_literals),
                              [&](std::size_t hops) { return (3 + literals_per_exclusion * hops) * steps; });
    return plan ? std::move(*plan) : EncodingPlan{flows, true};
}

EncodingPlan plan_relayed(const Problem& problem, unsigned steps)
{
    const std::uint64_t messages = problem.collective.messages().size();
    const std::uint64_t literals = 4 * messages * problem.topology.processor_count() * steps;
    if (literals > most_literals)
        return {.literals = too_large};
    const bool any_path = problem.switching == Switching::wormhole && !problem.slack;
    const std::uint64_t flows = any_path ? literals_of_relayed_flows(problem, steps) : too_large;
    const std::uint64_t most = std::min(flows, most_literals);
    const std::uint64_t processors = problem.topology.processor_count();
    // Each pair has a path at least: often that is enough to know that listing them all is too much.
    const bool are_too_many = problem.switching == Switching::wormhole &&
                              processors * (processors - 1) * literals_of_path(problem, steps, 0) > most &&
                              is_connected(problem.topology);
    if (are_too_many && flows == too_large)
        return {.literals = too_large};
    std::vector<Pair> pairs;
    for (ProcessorId source = 0; source < processors; ++source)
        for (ProcessorId destination = 0; destination < processors; ++destination)
            if (source != destination)
                pairs.push_back({source, destination});
    if (!are_too_many)
        if (auto plan = plan_of_paths(problem, pairs, literals, most, [&](std::size_t hops) {
                return literals_of_path(problem, steps, hops);
            }))
            return std::move(*plan);
    // Processors at one router send each other what no channel carries.
    CandidatePaths at_one_router;
    for (const auto [source, destination] : pairs)
        if (problem.topology.processor(source).injection == problem.topology.processor(destination).ejection)
            at_one_router.all.push_back({source, destination, {}});
    return {flows, true, std::move(at_one_router)};
}

} // namespace nocturne
