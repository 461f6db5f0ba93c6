#include "models/routing/turns.hpp"

namespace nocturne {

Turns::Turns(const Topology& topology)
    : topology_(&topology), first_(topology.channel_count() + 1), port_(topology.channel_count())
{
    for (RouterId router = 0; router < topology.router_count(); ++router) {
        const auto ports = topology.channels_from(router);
        for (std::size_t port = 0; port < ports.size(); ++port)
            port_[ports[port]] = port;
    }
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        first_[id + 1] = first_[id] + topology.channels_from(topology.channel(id).target).size();
}

} // namespace nocturne
