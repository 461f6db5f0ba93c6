#include "models/network/zero_load.hpp"

#include <algorithm>

namespace nocturne {

std::uint64_t zero_load_cycles(const Topology& topology, const HardwareConfig& config, const Route& route,
                               std::uint64_t flits)
{
    const Pipeline& pipeline = config.pipeline_of(topology);
    const std::uint64_t routers = route.size() + 1;
    std::uint64_t head = config.interface_cycles + routers * pipeline.cycles() + 2 * config.link_cycles;
    for (const Hop& hop : route) {
        const Channel& channel = topology.channel(hop.channel);
        head +=
            std::uint64_t{channel.latency_cycles} * config.link_cycles + config.cycles_per_flit(channel) - 1;
    }
    if (flits < 2)
        return head;

    // From the ejection link back to the injection link.
    std::uint64_t behind_head = flits - 1;
    std::uint64_t slowest = 1;
    std::uint64_t regained = 0;
    const auto pass_link = [&](unsigned occupied) {
        slowest = std::max<std::uint64_t>(slowest, occupied);
        regained += pipeline.head_cycles();
        const std::uint64_t lag = occupied + (flits - 2) * slowest;
        behind_head = std::max(behind_head, lag - std::min(lag, regained));
    };
    for (auto hop = route.rbegin(); hop != route.rend(); ++hop)
        pass_link(config.cycles_per_flit(topology.channel(hop->channel)));
    pass_link(1);
    return head + behind_head;
}

} // namespace nocturne
