// What a run with a fault returns: a plain value.
#pragma once

#include "sim/report/results.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// A part of the recovery, in simulated time.
struct RecoveryPhase {
    std::string name;
    double begin_ns = 0;
    double end_ns = 0;

    friend bool operator==(const RecoveryPhase&, const RecoveryPhase&) = default;
};
Fields<RecoveryPhase> fields_of(const RecoveryPhase*);

/// A message that its sender sent and its receiver did not get.
struct LostTransfer {
    std::uint32_t step = 1;    ///< from 1
    std::uint32_t message = 0; ///< index in the collective
    std::string source;        ///< processor
    std::string destination;

    friend bool operator==(const LostTransfer&, const LostTransfer&) = default;
};
Fields<LostTransfer> fields_of(const LostTransfer*);

struct RecoveryResult {
    std::string model = "flit"; ///< see NetworkModel
    std::string schedule;
    std::string topology;
    std::string collective;
    std::string routing;
    std::uint64_t message_bytes = 0;
    std::uint32_t steps = 0;
    std::vector<std::string> faults;
    double fault_ns = 0;
    std::optional<double> until_ns; ///< nothing: never
    std::string outcome;
    std::vector<RecoveryPhase> phases;
    double time_ns = 0;
    std::vector<LostTransfer> lost; ///< in the order of steps, senders and programs
    std::uint64_t flits_lost = 0;
    std::uint32_t probes = 0;
    std::vector<std::string> located;
    std::vector<std::string> lost_processors;
    std::uint32_t owed = 0;
    std::uint32_t dropped = 0;
    std::uint32_t duplicates = 0;
    std::uint32_t repair_steps = 0;
    std::string repair_routing; ///< empty if nothing is sent again
    double search_seconds = 0;
    std::uint64_t messages_owed = 0;
    std::uint64_t messages_delivered = 0;
    bool memory_ok = false;
    std::string converted; ///< see converted_meaning
    std::vector<ChannelOccupancy> occupancy;

    friend bool operator==(const RecoveryResult&, const RecoveryResult&) = default;
};
Fields<RecoveryResult> fields_of(const RecoveryResult*);

} // namespace nocturne
