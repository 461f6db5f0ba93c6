#include "sim/simulation/buffer_need.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {

std::uint32_t missing_buffer_flits(const Topology& topology, const HardwareConfig& hardware)
{
    unsigned most = 0;
    for (const Channel& channel : topology.channels())
        most = std::max(most, hardware.full_rate_buffer_flits(hardware.pipeline_of(topology),
                                                              channel.latency_cycles * hardware.link_cycles));
    return hardware.buffer_flits != 0 && most > hardware.buffer_flits ? most - hardware.buffer_flits : 0;
}

std::string describe_missing_buffers(std::uint32_t flits)
{
    return fmt::format("buffers lack up to {} flits for the time that a credit takes over the longest link: "
                       "one virtual channel cannot keep it busy (--buffer-flits 0 gives each link what it "
                       "needs)",
                       flits);
}

} // namespace nocturne
