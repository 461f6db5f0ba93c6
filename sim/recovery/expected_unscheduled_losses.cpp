// What a fault costs traffic without a schedule, read off a run without the fault.
#include "sim/recovery/recovery.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace nocturne {

namespace {

/// What a fault takes: channels by index, and ejection channels, which only results number, by name; with
/// their latencies, cycles.
struct HitChannels {
    std::map<ChannelId, unsigned> channels;
    std::map<std::string, unsigned> ejection;
};

/// The failed channels, and those out of failed routers.
HitChannels channels_hit(const Topology& topology, const RecoveryOptions& options)
{
    const Faults faults = parse_faults(topology, options.faults);
    const unsigned link_cycles = options.simulation.hardware.link_cycles;
    HitChannels hit;
    const auto add = [&](ChannelId id) {
        hit.channels[id] = topology.channel(id).latency_cycles * link_cycles;
    };
    for (const ChannelId id : faults.channels)
        add(id);
    for (const RouterId router : faults.routers) {
        for (const ChannelId id : topology.channels_from(router))
            add(id);
        for (const Processor& processor : topology.processors())
            if (processor.ejection == router)
                hit.ejection[fmt::format("{}->P{}", topology.router_name(router), processor.name)] =
                    link_cycles;
    }
    return hit;
}

} // namespace

std::vector<std::string> expected_losses(const RunResult& without_fault, const Topology& topology,
                                         const RecoveryOptions& options)
{
    const double cycle_ns = options.simulation.hardware.cycle_ns;
    const auto cycle = [&](double ns) { return static_cast<double>(whole_cycles(ns, cycle_ns)); };
    const double from = cycle(options.fault_ns);
    const double until = options.until_ns > 0 ? cycle(options.until_ns) : HUGE_VAL;
    const HitChannels hit = channels_hit(topology, options);
    const auto latency_of = [&](const ChannelOccupancy& box) -> std::optional<unsigned> {
        if (box.link < topology.channel_count()) {
            const auto channel = hit.channels.find(box.link);
            return channel == hit.channels.end() ? std::nullopt : std::optional(channel->second);
        }
        const auto ejection = hit.ejection.find(box.channel);
        return ejection == hit.ejection.end() ? std::nullopt : std::optional(ejection->second);
    };
    std::set<std::string> lost;
    for (const ChannelOccupancy& box : without_fault.occupancy) {
        const std::optional<unsigned> latency = latency_of(box);
        if (!latency)
            continue;
        // A channel is held until the last flit has entered it, which comes at its other end this much later.
        const double leaves = std::round(box.end_ns / cycle_ns) + *latency - 1;
        if (leaves > from && std::round(box.begin_ns / cycle_ns) < until)
            lost.insert(box.message);
    }
    return {lost.begin(), lost.end()};
}

} // namespace nocturne
