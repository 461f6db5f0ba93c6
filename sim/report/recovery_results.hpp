// What a run with a fault returns: a plain value, as JSON too (see results.hpp).
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

/// A part of the recovery, in simulated time.
struct RecoveryPhase {
    std::string name; ///< `replay`, `detect`, `locate`, `schedule`, `program`, `replay owed`, `check`
    double begin_ns = 0;
    double end_ns = 0;

    friend bool operator==(const RecoveryPhase&, const RecoveryPhase&) = default;
};

/// A message that its sender sent and its receiver did not get.
struct LostTransfer {
    std::uint32_t step = 0;    ///< of the schedule, or of the sender if there is none, from 0
    std::uint32_t message = 0; ///< index in the collective
    std::string source;        ///< processor
    std::string destination;

    friend bool operator==(const LostTransfer&, const LostTransfer&) = default;
};

struct RecoveryResult {
    std::string model = "flit"; ///< `flit` or `worm`: see NetworkModel
    std::string schedule;       ///< name of the schedule, or the traffic
    std::string topology;
    std::string collective;
    std::string routing; ///< `source routes` of a schedule, `dor`
    std::uint64_t message_bytes = 0;
    std::uint32_t steps = 0; ///< of the schedule; without one, of the engine that has most
    std::vector<std::string> faults;
    double fault_ns = 0; ///< when it came
    double until_ns = 0; ///< when it was over; 0: never
    std::string outcome; ///< `nothing lost`, `intermittent`, `located`
    std::vector<RecoveryPhase> phases;
    double time_ns = 0;             ///< of all
    std::vector<LostTransfer> lost; ///< in the order of steps, senders and programs
    std::uint64_t flits_lost = 0;   ///< probes included
    std::uint32_t probes = 0;
    std::vector<std::string>
        located; ///< `channel 00->01`, `router 05`; with `or` between parts that no probe tells apart
    std::vector<std::string> lost_processors; ///< those of routers that have failed
    std::uint32_t owed = 0;                   ///< deliveries that were made after the fault was located
    std::uint32_t dropped = 0; ///< deliveries to processors that are lost, or of what has no holder any more
    std::uint32_t duplicates = 0; ///< deliveries that came whole more than once
    std::uint32_t repair_steps =
        0; ///< of the schedule for what is owed; without schedules, of the longest program
    std::string repair_routing;      ///< of what is sent again; empty if nothing is
    double search_seconds = 0;       ///< wall-clock time of the search for it
    std::uint64_t messages_owed = 0; ///< deliveries of the collective, those dropped left out
    std::uint64_t messages_delivered = 0;
    bool memory_ok = false; ///< every byte of them is right

    friend bool operator==(const RecoveryResult&, const RecoveryResult&) = default;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecoveryPhase, name, begin_ns, end_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LostTransfer, step, message, source, destination)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecoveryResult, model, schedule, topology, collective, routing,
                                   message_bytes, steps, faults, fault_ns, until_ns, outcome, phases, time_ns,
                                   lost, flits_lost, probes, located, lost_processors, owed, dropped,
                                   duplicates, repair_steps, repair_routing, search_seconds, messages_owed,
                                   messages_delivered, memory_ok)

} // namespace nocturne
