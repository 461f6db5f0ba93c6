// The scheduled network in SystemVerilog: routers without buffers and arbiters that follow the steps of a
// schedule.
#pragma once

#include "sim/rtl/rtl_design.hpp"
#include "sim/rtl/scheduled_plan.hpp"

namespace nocturne {

/// Routers that follow a table, network interfaces with their DMA programs, a counter of steps, and a bench
/// that runs the schedule once and compares all memories with what they have to hold. A flit is on each link
/// in the cycle in which the replay of the schedule has it there, where the replay never waits: with buffers
/// of HardwareConfig::full_rate_buffer_flits() for every link. Throws what plan_scheduled() throws.
RtlDesign scheduled_design(const Schedule& schedule, const Topology& topology,
                           const ScheduledOptions& options);

} // namespace nocturne
