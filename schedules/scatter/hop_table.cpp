#include "schedules/scatter/hop_table.hpp"

#include "models/routing/distances.hpp"

#include <algorithm>

namespace nocturne {

ProcessorHops::ProcessorHops(const Topology& topology, const Resources& resources) : first_{0}
{
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    for (ProcessorId from = 0; from < processors; ++from) {
        const RouterId router = topology.processor(from).injection;
        const ResourceId send = resources.send_port(from);
        for (const ProcessorId to : topology.processors_ejected_by(router))
            if (to != from)
                hops_.push_back({from, to, no_channel, {send, resources.receive_port(to), no_resource}});
        for (const ChannelId channel : topology.channels_from(router))
            for (const ProcessorId to : topology.processors_ejected_by(topology.channel(channel).target))
                if (to != from)
                    hops_.push_back({from, to, channel, {send, resources.receive_port(to), channel}});
        first_.push_back(static_cast<std::uint32_t>(hops_.size()));
    }
}

std::vector<std::uint32_t> ProcessorHops::distances_to(ProcessorId receiver) const
{
    std::vector<std::uint32_t> distances(first_.size() - 1, unreachable);
    distances[receiver] = 0;
    for (std::uint32_t distance = 0; distance < distances.size(); ++distance)
        for (const ProcessorHop& hop : hops_)
            if (distances[hop.to] == distance && distances[hop.from] == unreachable)
                distances[hop.from] = distance + 1;
    return distances;
}

HopTable::HopTable(const Resources& resources, const ProcessorHops& hops, std::uint32_t steps,
                   std::size_t messages)
    : hops_(&hops), holders_(resources.capacities(), steps), weight_(messages, 1), routes_(messages)
{
}

/// Of those that hold a resource; no_message if some of it is free.
MessageId HopTable::lightest(ResourceId resource, std::uint32_t step) const
{
    if (!holders_.is_full(resource, step))
        return no_message;
    return *std::ranges::min_element(holders_.holders(resource, step), {},
                                     [&](MessageId message) { return weight_[message]; });
}

HopTable::Weight HopTable::price(TimedHop hop) const
{
    std::array<MessageId, 3> counted{no_message, no_message, no_message};
    std::size_t count = 0;
    Weight total = 0;
    for (const ResourceId resource : held_by(hop.hop)) {
        const MessageId holder = lightest(resource, hop.step);
        if (holder == no_message || std::find(counted.begin(), counted.end(), holder) != counted.end())
            continue;
        counted[count++] = holder;
        total += weight_[holder];
    }
    return total;
}

MessageId HopTable::in_the_way(TimedHop hop) const
{
    for (const ResourceId resource : held_by(hop.hop))
        if (const MessageId holder = lightest(resource, hop.step); holder != no_message)
            return holder;
    return no_message;
}

void HopTable::put(MessageId message, std::span<const TimedHop> route)
{
    for (const TimedHop& hop : route)
        for (const ResourceId resource : held_by(hop.hop))
            holders_.put(resource, hop.step, message);
    routes_[message].assign(route.begin(), route.end());
}

void HopTable::remove(MessageId message)
{
    for (const TimedHop& hop : routes_[message])
        for (const ResourceId resource : held_by(hop.hop))
            holders_.swap_out(resource, hop.step, message);
    routes_[message].clear();
}

} // namespace nocturne
