// How long the steps of a schedule take by the model alone: nothing here looks at the simulation.
#include "models/network/zero_load.hpp"
#include "models/routing/paths.hpp"
#include "sim/recovery/recovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

Route route_of(const Transfer& transfer)
{
    if (!transfer.path)
        throw std::invalid_argument("a transfer has no path, so that its time is unknown");
    return route_along(*transfer.path);
}

} // namespace

std::uint64_t longest_transfer_cycles(const Step& step, const Topology& topology,
                                      const HardwareConfig& hardware, std::uint64_t message_bytes)
{
    std::uint64_t longest = 0;
    for (const Transfer& transfer : step)
        longest = std::max(
            longest, zero_load_cycles(topology, hardware, route_of(transfer), hardware.flits(message_bytes)));
    return longest;
}

double middle_of_step_ns(const Schedule& schedule, std::size_t step, const Topology& topology,
                         const HardwareConfig& hardware, std::uint64_t message_bytes)
{
    if (step >= schedule.steps.size())
        throw std::invalid_argument(fmt::format("step {}: schedule '{}' has {} steps", step + 1,
                                                schedule.name, schedule.steps.size()));
    std::uint64_t cycles = 0;
    for (std::size_t before = 0; before < step; ++before)
        cycles += hardware.start_up_cycles() +
                  longest_transfer_cycles(schedule.steps[before], topology, hardware, message_bytes);
    cycles += hardware.start_up_cycles() +
              longest_transfer_cycles(schedule.steps[step], topology, hardware, message_bytes) / 2;
    return static_cast<double>(cycles) * hardware.cycle_ns;
}

} // namespace nocturne
