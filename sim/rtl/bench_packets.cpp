#include "sim/rtl/bench_packets.hpp"

#include "models/routing/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

std::vector<BenchPacket> draw_packets(const TrafficPattern& pattern, const MessageSizes& sizes,
                                      const BenchTraffic& traffic)
{
    require_unicast(pattern, "bench");
    for (const double load : {traffic.first_load, traffic.last_load})
        if (!(load > 0 && load <= 1))
            throw std::invalid_argument(fmt::format(
                "bench: a load of {} flits per processor and cycle; it must be above 0 and at most 1", load));
    double share = 0;
    for (ProcessorId source = 0; source < pattern.processors(); ++source)
        share += pattern.share(source);
    const double least = std::min(traffic.first_load, traffic.last_load);
    const double cycles = static_cast<double>(traffic.packets) * sizes.mean_flits() / (least * share);
    constexpr double most_draws = 1e9; // some seconds
    if (!(cycles * pattern.processors() <= most_draws))
        throw std::invalid_argument(fmt::format(
            "bench: {} packets at a load of {} take up to {:.3g} cycles; at most {:.3g} are possible",
            traffic.packets, least, cycles, most_draws / pattern.processors()));
    SplitMix64 random(traffic.seed);
    std::vector<BenchPacket> packets;
    for (std::uint64_t cycle = 0; packets.size() < traffic.packets; ++cycle) {
        const double done = static_cast<double>(packets.size()) / static_cast<double>(traffic.packets);
        const double load = traffic.first_load + done * (traffic.last_load - traffic.first_load);
        for (ProcessorId source = 0; source < pattern.processors() && packets.size() < traffic.packets;
             ++source)
            if (random.uniform() * sizes.mean_flits() < load * pattern.share(source))
                packets.push_back({cycle, source, pattern.destination(source, random), sizes.draw(random)});
    }
    return packets;
}

} // namespace nocturne
