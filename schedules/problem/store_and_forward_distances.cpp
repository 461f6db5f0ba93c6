#include "schedules/problem/store_and_forward_distances.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

std::vector<std::uint32_t> transfers_from(const Topology& topology, ProcessorId origin)
{
    if (origin >= topology.processor_count())
        throw std::invalid_argument(fmt::format("{}: processor {} does not exist", topology.name(), origin));
    std::vector<std::uint32_t> transfers(topology.processor_count(), unreachable);
    std::vector<bool> sent_from(topology.router_count(), false);
    std::vector<ProcessorId> queue{origin};
    transfers[origin] = 0;
    const auto deliver = [&](RouterId router, std::uint32_t count) {
        for (const ProcessorId id : topology.processors_ejected_by(router))
            if (transfers[id] == unreachable) {
                transfers[id] = count;
                queue.push_back(id);
            }
    };
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const RouterId router = topology.processor(queue[next]).injection;
        if (sent_from[router])
            continue; // another processor of the router was no later
        sent_from[router] = true;
        const std::uint32_t count = transfers[queue[next]] + 1;
        deliver(router, count);
        for (const ChannelId channel : topology.channels_from(router))
            deliver(topology.channel(channel).target, count);
    }
    return transfers;
}

} // namespace nocturne
