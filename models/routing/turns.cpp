#include "models/routing/turns.hpp"

namespace nocturne {

std::vector<std::uint32_t> output_positions(const Topology& topology)
{
    std::vector<std::uint32_t> positions(topology.channel_count());
    for (RouterId router = 0; router < topology.router_count(); ++router) {
        const auto outputs = topology.channels_from(router);
        for (std::uint32_t i = 0; i < outputs.size(); ++i)
            positions[outputs[i]] = i;
    }
    return positions;
}

Turns::Turns(const Topology& topology)
    : topology_(&topology), first_(topology.channel_count() + 1), port_(output_positions(topology))
{
    for (ChannelId id = 0; id < topology.channel_count(); ++id)
        first_[id + 1] = first_[id] + topology.channels_from(topology.channel(id).target).size();
}

} // namespace nocturne
