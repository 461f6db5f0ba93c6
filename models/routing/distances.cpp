#include "models/routing/distances.hpp"

#include "models/routing/least_costs.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

struct AnyChannel {
    bool operator()(const Channel&) const { return true; }
};

/// `channels_at(router)` are the channels to follow, `far_end` the member of Channel that they lead to.
template <typename ChannelsAt, typename IsAllowed = AnyChannel>
std::vector<std::uint32_t> distances(const Topology& topology, RouterId start, const PathCost& cost,
                                     ChannelsAt channels_at, RouterId Channel::* far_end,
                                     const IsAllowed& is_allowed = {})
{
    if (start >= topology.router_count())
        throw std::invalid_argument(fmt::format("{}: router {} does not exist", topology.name(), start));
    const std::size_t starts[] = {start};
    return least_costs(topology, cost, topology.router_count(), starts, [&](std::size_t at, auto take) {
        for (const ChannelId id : channels_at(static_cast<RouterId>(at)))
            if (is_allowed(topology.channel(id)))
                take(topology.channel(id).*far_end, id);
    });
}

} // namespace

std::vector<std::uint32_t> distances_to(const Topology& topology, RouterId destination)
{
    return distances_to(topology, destination, PathCost::hops());
}

std::vector<std::uint32_t> distances_to(const Topology& topology, RouterId destination, const PathCost& cost)
{
    return distances(
        topology, destination, cost, [&](RouterId id) { return topology.channels_to(id); }, &Channel::source);
}

std::vector<std::uint32_t> distances_to(const Topology& topology, RouterId destination, const PathCost& cost,
                                        const std::function<bool(const Channel&)>& is_allowed)
{
    return distances(
        topology, destination, cost, [&](RouterId id) { return topology.channels_to(id); }, &Channel::source,
        is_allowed);
}

std::vector<std::uint32_t> distances_from(const Topology& topology, RouterId source)
{
    return distances(
        topology, source, PathCost::hops(), [&](RouterId id) { return topology.channels_from(id); },
        &Channel::target);
}

Endpoints endpoints(const Topology& topology, ProcessorId source, ProcessorId destination)
{
    for (const ProcessorId id : {source, destination})
        if (id >= topology.processor_count())
            throw std::invalid_argument(fmt::format("{}: processor {} does not exist", topology.name(), id));
    return {topology.processor(source).injection, topology.processor(destination).ejection};
}

} // namespace nocturne
