#include "testbenches/fault_recovery/expected_losses.hpp"

#include "models/network/zero_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace nocturne {

namespace {

struct Times {
    double begin; ///< of the fault, cycles
    double end;
};

/// The flits of a message enter a part one a cycle, the first in cycle `enters`; each has left it `stay`
/// cycles later.
bool overlaps(double enters, double stay, double flits, const Times& fault)
{
    const double first_late_enough = std::max(0.0, std::floor(fault.begin - stay - enters) + 1);
    return first_late_enough <= flits - 1 && enters + first_late_enough < fault.end;
}

bool is_hit(const Transfer& transfer, std::uint64_t sent, const Topology& topology,
            const RecoveryOptions& options, const Faults& faults)
{
    const HardwareConfig& hardware = options.simulation.hardware;
    const double flits = static_cast<double>(hardware.flits(options.simulation.message_bytes));
    const double pipeline = hardware.pipeline_of(topology).cycles();
    const auto cycle = [&](double ns) { return static_cast<double>(whole_cycles(ns, hardware.cycle_ns)); };
    const Times fault{cycle(options.fault_ns), options.until_ns > 0 ? cycle(options.until_ns) : 1e18};
    const auto has = [](const std::vector<std::uint32_t>& list, std::uint32_t one) {
        return std::find(list.begin(), list.end(), one) != list.end();
    };
    // Over the link into a router, through it, and over the link out of it.
    double enters = static_cast<double>(sent + hardware.interface_cycles);
    double latency = hardware.link_cycles;
    RouterId router = topology.processor(transfer.source).injection;
    for (std::size_t hop = 0;; ++hop) {
        const bool is_last = hop == transfer.path->size();
        const double leaves = enters + latency + pipeline;
        const double next_latency =
            is_last ? hardware.link_cycles
                    : topology.channel((*transfer.path)[hop]).latency_cycles * hardware.link_cycles;
        if (has(faults.routers, router) && overlaps(enters, leaves + next_latency - enters, flits, fault))
            return true;
        if (is_last)
            return false;
        if (has(faults.channels, (*transfer.path)[hop]) && overlaps(leaves, next_latency, flits, fault))
            return true;
        router = topology.channel((*transfer.path)[hop]).target;
        enters = leaves;
        latency = next_latency;
    }
}

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

std::vector<LostTransfer> expected_losses(const Schedule& schedule, const Topology& topology,
                                          const RecoveryOptions& options)
{
    const HardwareConfig& hardware = options.simulation.hardware;
    const Faults faults = parse_faults(topology, options.faults);
    std::vector<LostTransfer> lost;
    std::uint64_t begin = 0;
    for (std::uint32_t step = 0; step < schedule.steps.size() && lost.empty(); ++step) {
        for (const Transfer& transfer : schedule.steps[step])
            if (is_hit(transfer, begin + hardware.start_up_cycles(), topology, options, faults))
                lost.push_back({step + 1, transfer.message, topology.processor(transfer.source).name,
                                topology.processor(transfer.destination).name});
        begin +=
            hardware.start_up_cycles() + longest_transfer_cycles(schedule.steps[step], topology, hardware,
                                                                 options.simulation.message_bytes);
    }
    return lost;
}

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
