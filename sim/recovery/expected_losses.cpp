// What a fault costs by the model alone: nothing here looks at the simulation.
#include "models/hardware/zero_load.hpp"
#include "sim/recovery/recovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace nocturne {

namespace {

Route route_of(const Transfer& transfer)
{
    if (!transfer.path)
        throw std::invalid_argument("a transfer has no path, so that its time is unknown");
    Route route;
    for (const ChannelId id : *transfer.path)
        route.push_back({id, 0});
    return route;
}

std::uint64_t longest_cycles(const Step& step, const Topology& topology, const HardwareConfig& hardware,
                             std::uint64_t message_bytes)
{
    std::uint64_t longest = 0;
    for (const Transfer& transfer : step)
        longest = std::max(
            longest, zero_load_cycles(topology, hardware, route_of(transfer), hardware.flits(message_bytes)));
    return longest;
}

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

} // namespace

double middle_of_step_ns(const Schedule& schedule, std::size_t step, const Topology& topology,
                         const HardwareConfig& hardware, std::uint64_t message_bytes)
{
    if (step >= schedule.steps.size())
        throw std::invalid_argument(fmt::format("step {}: schedule '{}' has {} steps", step + 1,
                                                schedule.name, schedule.steps.size()));
    std::uint64_t cycles = 0;
    for (std::size_t before = 0; before < step; ++before)
        cycles += hardware.start_up_cycles() +
                  longest_cycles(schedule.steps[before], topology, hardware, message_bytes);
    cycles += hardware.start_up_cycles() +
              longest_cycles(schedule.steps[step], topology, hardware, message_bytes) / 2;
    return static_cast<double>(cycles) * hardware.cycle_ns;
}

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
        begin += hardware.start_up_cycles() +
                 longest_cycles(schedule.steps[step], topology, hardware, options.simulation.message_bytes);
    }
    return lost;
}

} // namespace nocturne
