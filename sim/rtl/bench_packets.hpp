// Packets for a bench: synthetic traffic whose load rises from the first packet to the last.
#pragma once

#include "models/traffic/message_sizes.hpp"
#include "models/traffic/pattern.hpp"
#include "sim/rtl/wormhole_design.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nocturne {

struct BenchTraffic {
    std::size_t packets = 1000; ///< 1 or more
    double first_load = 0.05;   ///< flits per processor and cycle, above 0 and at most 1
    double last_load = 0.5;     ///< likewise
    std::uint64_t seed = 1;
};

/// Each processor begins a packet in a cycle with the same probability, but for its share of the pattern.
/// Throws std::invalid_argument for loads out of range, or so low that the packets take too long to draw.
std::vector<BenchPacket> draw_packets(const TrafficPattern& pattern, const MessageSizes& sizes,
                                      const BenchTraffic& traffic);

} // namespace nocturne
