// The Verilog that is written anew for each scheduled network.
#pragma once

#include "sim/rtl/scheduled_plan.hpp"

#include <string>

namespace nocturne {

/// Bits of what is the same in all parts of a scheduled network.
struct ScheduledWidths {
    unsigned word;    ///< of a memory: the payload of a flit
    unsigned address; ///< of a word
    unsigned length;  ///< of a message, in flits
    unsigned step;
    unsigned cycle; ///< of a step
};
ScheduledWidths widths_of(const ScheduledPlan& plan, const HardwareConfig& hardware);

std::string scheduled_network_text(const Schedule& schedule, const Topology& topology,
                                   const ScheduledOptions& options, const ScheduledPlan& plan);
std::string scheduled_bench_text(const ScheduledOptions& options, const ScheduledPlan& plan);
std::string scheduled_readme(const Schedule& schedule, const Topology& topology,
                             const ScheduledOptions& options, const ScheduledPlan& plan);

} // namespace nocturne
