#include "models/hardware/zero_load.hpp"

#include <algorithm>

namespace nocturne {

std::uint64_t zero_load_cycles(const Topology& topology, const HardwareConfig& config, const Route& route,
                               std::uint64_t flits)
{
    const Pipeline& pipeline = config.pipeline_of(topology);
    std::uint64_t cycles =
        config.interface_cycles + (route.size() + 1) * pipeline.cycles() + 2 * config.link_cycles;
    unsigned slowest = 1;
    for (const Hop& hop : route) {
        const Channel& channel = topology.channel(hop.channel);
        const unsigned occupied = config.cycles_per_flit(channel);
        cycles += channel.latency_cycles * config.link_cycles + occupied - 1;
        slowest = std::max(slowest, occupied);
    }
    return cycles + (flits - 1) * slowest;
}

} // namespace nocturne
