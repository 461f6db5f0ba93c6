// What a fault costs traffic without a schedule, read off a run without the fault.
#include "sim/experiment/recovery.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

namespace nocturne {

namespace {

/// The failed channels, and those out of failed routers, by their names in results, with their latencies, cycles.
std::map<std::string, unsigned> channels_hit(const Topology& topology, const RecoveryOptions& options)
{
    const Faults faults = parse_faults(topology, options.faults);
    const unsigned link_cycles = options.simulation.hardware.link_cycles;
    std::map<std::string, unsigned> hit;
    const auto add = [&](ChannelId id) {
        const Channel& channel = topology.channel(id);
        hit[fmt::format("{}->{}", topology.router_name(channel.source),
                        topology.router_name(channel.target))] = channel.latency_cycles * link_cycles;
    };
    for (const ChannelId id : faults.channels)
        add(id);
    for (const RouterId router : faults.routers) {
        for (const ChannelId id : topology.channels_from(router))
            add(id);
        for (const Processor& processor : topology.processors())
            if (processor.ejection == router)
                hit[fmt::format("{}->P{}", topology.router_name(router), processor.name)] = link_cycles;
    }
    return hit;
}

} // namespace

std::vector<std::string> expected_losses(const RunResult& without_fault, const Topology& topology,
                                         const RecoveryOptions& options)
{
    const double cycle_ns = options.simulation.hardware.cycle_ns;
    const double from = std::ceil(options.fault_ns / cycle_ns);
    const double until = options.until_ns > 0 ? std::ceil(options.until_ns / cycle_ns) : HUGE_VAL;
    const std::map<std::string, unsigned> hit = channels_hit(topology, options);
    std::set<std::string> lost;
    for (const ChannelOccupancy& box : without_fault.occupancy) {
        const auto channel = hit.find(box.channel);
        if (channel == hit.end())
            continue;
        // A channel is held until the last flit has entered it, which comes at its other end this much later.
        const double leaves = std::round(box.end_ns / cycle_ns) + channel->second - 1;
        if (leaves > from && std::round(box.begin_ns / cycle_ns) < until)
            lost.insert(box.message);
    }
    return {lost.begin(), lost.end()};
}

} // namespace nocturne
