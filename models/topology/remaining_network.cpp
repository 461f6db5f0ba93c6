#include "models/topology/remaining_network.hpp"

#include <algorithm>

namespace nocturne {

namespace {

bool is_among(const std::vector<std::uint32_t>& list, std::uint32_t one)
{
    return std::find(list.begin(), list.end(), one) != list.end();
}

} // namespace

/// with_faults() keeps the order of what is left.
RemainingNetwork remaining_network(const Topology& topology, const Faults& faults)
{
    const bool is_whole = faults.channels.empty() && faults.routers.empty();
    RemainingNetwork rest{is_whole ? topology : with_faults(topology, faults, "faults"), {}, {}, {}, {}};
    require_connected(rest.topology);
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const Processor& processor = topology.processor(id);
        const bool lost =
            is_among(faults.routers, processor.injection) || is_among(faults.routers, processor.ejection);
        rest.new_processor.push_back(lost ? RemainingNetwork::gone
                                          : static_cast<std::uint32_t>(rest.old_processor.size()));
        if (!lost)
            rest.old_processor.push_back(id);
    }
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const Channel& channel = topology.channel(id);
        const bool lost = is_among(faults.channels, id) || is_among(faults.routers, channel.source) ||
                          is_among(faults.routers, channel.target);
        rest.new_channel.push_back(lost ? RemainingNetwork::gone
                                        : static_cast<std::uint32_t>(rest.old_channel.size()));
        if (!lost)
            rest.old_channel.push_back(id);
    }
    return rest;
}

} // namespace nocturne
