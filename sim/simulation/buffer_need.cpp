#include "sim/simulation/buffer_need.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {

std::uint32_t missing_buffer_flits(const Topology& topology, const HardwareConfig& hardware)
{
    std::uint32_t most = 0;
    for (const Channel& channel : topology.channels()) {
        const unsigned needed = hardware.full_rate_buffer_of(topology, channel);
        const unsigned given = hardware.buffer_of(topology, channel);
        most = std::max(most, needed - std::min(needed, given));
    }
    return most;
}

std::string describe_missing_buffers(std::uint32_t flits)
{
    return fmt::format(
        "buffers are up to {} flit{} too small for the round trip of a credit over the longest "
        "link: one virtual channel cannot keep it busy (--buffer-flits 0 gives each link what "
        "it needs)",
        flits, flits == 1 ? "" : "s");
}

} // namespace nocturne
