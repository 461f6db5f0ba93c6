#include "models/topology/remaining_network.hpp"

#include <algorithm>

namespace nocturne {

bool has_failed(const Faults& faults, RouterId id)
{
    return std::ranges::find(faults.routers, id) != faults.routers.end();
}

/// with_faults() keeps the order of what is left.
RemainingNetwork remaining_network(const Topology& topology, const Faults& faults)
{
    const bool is_whole = faults.channels.empty() && faults.routers.empty();
    RemainingNetwork rest{is_whole ? topology : with_faults(topology, faults, "faults"), {}, {}, {}, {}};
    require_connected(rest.topology);
    for (ProcessorId id = 0; id < topology.processor_count(); ++id) {
        const Processor& processor = topology.processor(id);
        const bool lost = has_failed(faults, processor.injection) || has_failed(faults, processor.ejection);
        rest.new_processor.push_back(lost ? RemainingNetwork::gone
                                          : static_cast<std::uint32_t>(rest.old_processor.size()));
        if (!lost)
            rest.old_processor.push_back(id);
    }
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const Channel& channel = topology.channel(id);
        const bool lost = std::ranges::find(faults.channels, id) != faults.channels.end() ||
                          has_failed(faults, channel.source) || has_failed(faults, channel.target);
        rest.new_channel.push_back(lost ? RemainingNetwork::gone
                                        : static_cast<std::uint32_t>(rest.old_channel.size()));
        if (!lost)
            rest.old_channel.push_back(id);
    }
    return rest;
}

} // namespace nocturne
