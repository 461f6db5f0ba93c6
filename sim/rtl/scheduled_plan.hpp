// From a schedule to the tables of a network that needs no buffers and no arbiters.
#pragma once

#include "models/hardware/network_plan.hpp"
#include "models/network/configuration.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

struct ScheduledOptions {
    HardwareConfig hardware; ///< its buffers, virtual channels and allocators do not matter
    std::uint64_t message_bytes = 64;
    std::uint64_t seed = 1; ///< of the messages' contents
};

/// All that the hardware follows, by processor or router and by step; steps without a transfer are left out.
struct ScheduledPlan {
    /// What an interface sends, or takes, over one of its links in a step.
    struct Entry {
        MessageId message;
        ProcessorId peer;      ///< where it goes to, or comes from
        std::uint64_t address; ///< of its first word in the memory
    };
    using Ports = std::vector<std::optional<Entry>>;
    using Inputs = std::vector<std::optional<unsigned>>;

    NetworkPlan network;
    std::uint64_t message_flits = 0;
    std::uint64_t launch_cycles = 0;      ///< from the begin of a step to the first flits on injection links
    std::vector<std::uint64_t> durations; ///< of each step, cycles
    std::vector<std::vector<Inputs>> connections; ///< by router, step and output: the input
    std::vector<std::vector<Ports>> sends;        ///< by processor, step and injection link
    std::vector<std::vector<Ports>> receives;     ///< by processor, step and ejection link
    /// By processor: the messages that its memory has places for, in the order of these, each of
    /// message_flits words.
    std::vector<std::vector<MessageId>> places;

    std::uint64_t cycles() const; ///< of all steps
};

/// Throws std::invalid_argument for a schedule that is not valid, adds, or has no transfer, and for hardware
/// that has no such form: links narrower than a flit, or start-up and interface together below 2 cycles.
ScheduledPlan plan_scheduled(const Schedule& schedule, const Topology& topology,
                             const ScheduledOptions& options);

} // namespace nocturne
