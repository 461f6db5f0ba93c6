#include "schedules/problem/transfer_rules.hpp"

#include "models/routing/distances.hpp"

#include <algorithm>

namespace nocturne {

bool forbids_relays(const Problem& problem)
{
    const auto& messages = problem.collective.messages();
    return std::all_of(messages.begin(), messages.end(),
                       [&](const Message& message) { return forbids_relays(problem.slack, message); });
}

bool mixes_relays(const Problem& problem)
{
    const auto& messages = problem.collective.messages();
    return !forbids_relays(problem) &&
           std::any_of(messages.begin(), messages.end(),
                       [&](const Message& message) { return forbids_relays(problem.slack, message); });
}

TransferRules::TransferRules(const Topology& topology, Switching switching, std::optional<unsigned> slack)
    : topology_(&topology), switching_(switching), slack_(slack), distances_(topology.router_count())
{
}

TransferRules::TransferRules(const Problem& problem)
    : TransferRules(problem.topology, problem.switching, problem.slack)
{
}

std::size_t TransferRules::most_hops(ProcessorId source, ProcessorId destination)
{
    const auto [from, to] = endpoints(*topology_, source, destination);
    if (distances_[from].empty())
        distances_[from] = distances_from(*topology_, from);
    return std::size_t{distances_[from][to]} + slack_.value_or(0);
}

} // namespace nocturne
