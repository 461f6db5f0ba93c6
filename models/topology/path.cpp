#include "models/topology/path.hpp"

namespace nocturne {

bool connects(const Topology& topology, ProcessorId source, ProcessorId destination, const Path& path)
{
    RouterId at = topology.processor(source).injection;
    for (const ChannelId id : path) {
        if (id >= topology.channel_count() || topology.channel(id).source != at)
            return false;
        at = topology.channel(id).target;
    }
    return at == topology.processor(destination).ejection;
}

std::vector<RouterId> routers_of(const Topology& topology, ProcessorId source, const Path& path)
{
    std::vector<RouterId> routers{topology.processor(source).injection};
    for (const ChannelId id : path)
        routers.push_back(topology.channel(id).target);
    return routers;
}

} // namespace nocturne
