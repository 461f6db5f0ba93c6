#include "models/network/clocks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <stdexcept>

namespace nocturne {

void require_clocks(const Topology& topology, const HardwareConfig& config)
{
    if (!topology.has_router_parts())
        return;
    constexpr double ps_per_ns = 1000;
    const auto cycle_ps = static_cast<std::uint64_t>(std::llround(config.cycle_ns * ps_per_ns));
    std::uint64_t common = 1; // what it must be a multiple of: every N of a clock N/M is in lowest terms
    std::optional<RouterId> first;
    for (RouterId id = 0; id < topology.router_count(); ++id) {
        const ClockRatio& clock = topology.part(id).clock;
        common = common > cycle_ps ? common : std::lcm(common, std::uint64_t{clock.ticks});
        if (!first && cycle_ps * clock.base % clock.ticks != 0)
            first = id;
    }
    if (has_own_clocks(topology) && config.selection == Selection::neighbours)
        throw std::invalid_argument(
            fmt::format("{}: selection neighbours looks into routers in the same cycle, "
                        "and these have clocks of their own",
                        topology.name()));
    if (first)
        throw std::invalid_argument(fmt::format(
            "{}: router {}: with cycle_ns = {} a cycle of clock {} is no whole number of picoseconds; it is "
            "with a multiple of {}",
            topology.name(), topology.router_name(*first), config.cycle_ns,
            to_string(topology.part(*first).clock),
            static_cast<double>(common > cycle_ps ? topology.part(*first).clock.ticks : common) / ps_per_ns));
}

bool has_own_clocks(const Topology& topology)
{
    for (RouterId id = 0; topology.has_router_parts() && id < topology.router_count(); ++id)
        if (!topology.part(id).clock.is_base())
            return true;
    return false;
}

} // namespace nocturne
