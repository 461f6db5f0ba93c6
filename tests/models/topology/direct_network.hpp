// Small networks that are written down where they are used: each router has a processor of its name.
#pragma once

#include "models/topology/topology.hpp"

#include <string>
#include <vector>

namespace nocturne::test {

/// Routers called by their numbers, joined by these channels.
inline Topology direct_network(const std::string& name, unsigned routers,
                               const std::vector<Channel>& channels = {})
{
    Topology topology(name);
    for (unsigned i = 0; i < routers; ++i)
        topology.add_processor(topology.add_router());
    for (const Channel& channel : channels)
        topology.add_channel(channel);
    return topology;
}

/// Routers of these names.
inline Topology direct_network(const std::string& name, const std::vector<std::string>& routers,
                               const std::vector<Channel>& channels)
{
    Topology topology(name);
    for (const std::string& router : routers)
        topology.add_processor(topology.add_router(router));
    for (const Channel& channel : channels)
        topology.add_channel(channel);
    return topology;
}

/// Each channel, and behind it the one back.
inline std::vector<Channel> both_ways(const std::vector<Channel>& channels)
{
    std::vector<Channel> result;
    for (Channel channel : channels) {
        result.push_back(channel);
        std::swap(channel.source, channel.target);
        result.push_back(channel);
    }
    return result;
}

/// From each router to the next, and from the last to the first: channel i leads from router i.
inline Topology one_way_circle(const std::string& name, unsigned routers)
{
    Topology topology = direct_network(name, routers);
    for (RouterId id = 0; id < routers; ++id)
        topology.add_channel(id, (id + 1) % routers);
    return topology;
}

} // namespace nocturne::test
