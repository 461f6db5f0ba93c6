// What flows are promised, and what has been seen of it, as values.
#pragma once

#include "sim/report/results.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// Of one flow.
struct ContractResult {
    std::string source;
    std::string destination;
    std::uint64_t message_bytes = 0;
    std::uint32_t burst_messages = 1;
    double mbytes_per_s = 0;      ///< that the flow may send
    double slot_mbytes_per_s = 0; ///< that its slots carry
    std::uint64_t message_cycles = 0;
    std::uint32_t slots = 0; ///< of a period
    std::uint32_t hops = 0;
    std::uint64_t latency_cycles = 0; ///< the bound
    std::optional<std::uint64_t> asked_latency_cycles = {};
    std::optional<std::uint64_t> messages = {}; ///< with a check, as what follows
    std::optional<std::uint64_t> seen_latency_cycles = {};
    std::optional<double> seen_percent = {}; ///< of the bound
    std::optional<std::uint64_t> violations = {};
    double cycle_ns = 1;
    std::vector<std::string> path = {}; ///< routers
    std::vector<std::uint32_t> starts = {};

    friend bool operator==(const ContractResult&, const ContractResult&) = default;
};
Fields<ContractResult> fields_of(const ContractResult*);

/// What the simulation saw.
struct ContractCheck {
    std::uint64_t cycles = 0;
    double best_effort_load = 0;
    std::string best_effort_pattern;
    std::string best_effort_routing;
    double best_effort_rate = 0;
    double guaranteed_rate = 0;
    std::uint64_t violations = 0;
    std::uint64_t late_packets = 0;
    double least_seen_percent = 0;
    std::optional<Stall> stall = {};
};
Fields<ContractCheck> fields_of(const ContractCheck*);

struct ContractResults {
    std::string topology;
    std::string engine; ///< empty for a table that was given
    std::uint32_t slots = 0;
    std::uint32_t slot_flits = 0;
    std::uint32_t slot_cycles = 0;
    std::uint64_t period_cycles = 0;
    std::uint32_t vcs = 0;
    double cycle_ns = 1;
    std::optional<ContractCheck> check = {};
    std::vector<ContractResult> contracts = {};
};
Fields<ContractResults> fields_of(const ContractResults*);

} // namespace nocturne
