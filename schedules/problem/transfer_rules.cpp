#include "schedules/problem/transfer_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

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

Path without_loops(const Topology& topology, const Path& walk)
{
    Path path;
    const auto cut_back_to = [&](RouterId router) {
        path.erase(std::ranges::find(path, router, [&](ChannelId id) { return topology.channel(id).source; }),
                   path.end());
    };
    for (const ChannelId channel : walk) {
        cut_back_to(topology.channel(channel).source);
        path.push_back(channel);
    }
    if (!path.empty())
        cut_back_to(topology.channel(path.back()).target);
    return path;
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

std::vector<std::uint32_t> transfers_from(const Topology& topology, ProcessorId origin)
{
    if (origin >= topology.processor_count())
        throw std::invalid_argument(fmt::format("{}: processor {} does not exist", topology.name(), origin));
    std::vector<std::uint32_t> transfers(topology.processor_count(), unreachable);
    std::vector<bool> sent_from(topology.router_count(), false);
    std::vector<ProcessorId> queue{origin};
    transfers[origin] = 0;
    const auto deliver = [&](RouterId router, std::uint32_t count) {
        for (const ProcessorId id : topology.processors_ejected_by(router))
            if (transfers[id] == unreachable) {
                transfers[id] = count;
                queue.push_back(id);
            }
    };
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const RouterId router = topology.processor(queue[next]).injection;
        if (sent_from[router])
            continue; // another processor of the router was no later
        sent_from[router] = true;
        const std::uint32_t count = transfers[queue[next]] + 1;
        deliver(router, count);
        for (const ChannelId channel : topology.channels_from(router))
            deliver(topology.channel(channel).target, count);
    }
    return transfers;
}

} // namespace nocturne
