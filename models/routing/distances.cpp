#include "models/routing/distances.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

/// `channels_at(router)` are the channels to follow, `far_end` the member of Channel that they lead to.
template <typename ChannelsAt>
std::vector<std::uint32_t> breadth_first(const Topology& topology, RouterId start, ChannelsAt channels_at,
                                         RouterId Channel::*far_end)
{
    if (start >= topology.router_count())
        throw std::invalid_argument(fmt::format("{}: router {} does not exist", topology.name(), start));
    std::vector<std::uint32_t> distance(topology.router_count(), unreachable);
    std::vector<RouterId> queue{start};
    queue.reserve(topology.router_count());
    distance[start] = 0;
    for (std::size_t head = 0; head < queue.size(); ++head) {
        const RouterId at = queue[head];
        for (const ChannelId id : channels_at(at)) {
            const RouterId next = topology.channel(id).*far_end;
            if (distance[next] == unreachable) {
                distance[next] = distance[at] + 1;
                queue.push_back(next);
            }
        }
    }
    return distance;
}

} // namespace

std::vector<std::uint32_t> distances_to(const Topology& topology, RouterId destination)
{
    return breadth_first(
        topology, destination, [&](RouterId id) { return topology.channels_to(id); }, &Channel::source);
}

std::vector<std::uint32_t> distances_from(const Topology& topology, RouterId source)
{
    return breadth_first(
        topology, source, [&](RouterId id) { return topology.channels_from(id); }, &Channel::target);
}

Endpoints endpoints(const Topology& topology, ProcessorId source, ProcessorId destination)
{
    for (const ProcessorId id : {source, destination})
        if (id >= topology.processor_count())
            throw std::invalid_argument(fmt::format("{}: processor {} does not exist", topology.name(), id));
    return {topology.processor(source).injection, topology.processor(destination).ejection};
}

} // namespace nocturne
