// Small networks that are written down where they are used, each router with a processor of its name, and
// ways on networks.
#pragma once

#include "models/topology/path.hpp"
#include "models/topology/topology.hpp"

#include <stdexcept>
#include <string>
#include <utility>
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

/// The first that leads from one router to another one.
inline ChannelId channel_between(const Topology& topology, RouterId source, RouterId target)
{
    for (const ChannelId id : topology.channels_from(source))
        if (topology.channel(id).target == target)
            return id;
    throw std::logic_error("no such channel");
}

/// From each router to the next of these.
inline Path path_over(const Topology& topology, const std::vector<RouterId>& routers)
{
    Path path;
    for (std::size_t i = 1; i < routers.size(); ++i)
        path.push_back(channel_between(topology, routers[i - 1], routers[i]));
    return path;
}

} // namespace nocturne::test
