#include "models/routing/minimal_paths.hpp"

#include "models/routing/distances.hpp"
#include "models/topology/indices_by.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

MinimalPaths::MinimalPaths(const Topology& topology, RouterId destination, const PathCost& cost)
    : topology_(&topology), destination_(destination), cost_(cost_on(topology, cost)),
      distance_(distances_to(topology, destination, cost_))
{
    std::vector<bool> is_on_way(topology.router_count());
    const auto reach = [&](RouterId router) {
        if (!is_on_way[router])
            routers_.push_back(router);
        is_on_way[router] = true;
    };
    reach(destination);
    for (const Processor& processor : topology.processors()) {
        if (distance_[processor.injection] == unreachable)
            throw std::invalid_argument(fmt::format("{}: no path from processor {} to router {}",
                                                    topology.name(), processor.name,
                                                    topology.router_name(destination)));
        reach(processor.injection);
    }
    for (std::size_t i = 0; i < routers_.size(); ++i)
        for (const ChannelId id : channels(routers_[i]))
            reach(topology.channel(id).target);
    std::sort(routers_.begin(), routers_.end(), [&](RouterId a, RouterId b) {
        return std::pair(distance_[a], a) < std::pair(distance_[b], b);
    });
}

MinimalPaths::Channels MinimalPaths::channels(RouterId at) const
{
    Channels result;
    for (const ChannelId id : topology_->channels_from(at))
        if (leads_nearer(distance_, topology_->channel(id), cost_))
            result.push_back(id);
    return result;
}

std::vector<RouterId> ejection_routers(const Topology& topology)
{
    return indices_where<RouterId>(topology.router_count(),
                                   [&](RouterId id) { return !topology.processors_ejected_by(id).empty(); });
}

} // namespace nocturne
