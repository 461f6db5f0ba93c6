#include "models/routing/distances.hpp"
#include "schedules/satisfiability/channels_of_messages.hpp"
#include "schedules/satisfiability/direct_encoding.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

Pair ends_of(const Message& message)
{
    return {message.origin, message.receivers.front()};
}

bool allows_all_paths(const Problem& problem)
{
    // No path visits a router twice.
    return *problem.slack >= problem.topology.router_count() - 1;
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

} // namespace

DirectPlan plan_direct(const Problem& problem, unsigned steps)
{
    std::uint64_t literals = 3 * literals_per_exclusion * problem.collective.messages().size() * steps;
    if (literals > most_literals)
        return {std::nullopt, too_large};
    std::vector<Pair> pairs;
    for (const Message& message : problem.collective.messages())
        pairs.push_back(ends_of(message));
    DirectPlan plan{std::nullopt, literals_of_flows(problem, steps)};
    const auto cost = [&](const CandidatePath& candidate) {
        const std::uint64_t its = (3 + literals_per_exclusion * candidate.path.size()) * steps;
        literals += its;
        return its;
    };
    if (auto paths = list_candidate_paths(problem, pairs, cost, std::min(plan.literals, most_literals))) {
        plan.paths = std::move(paths);
        plan.literals = literals;
    }
    return plan;
}

} // namespace nocturne
