// What closed loops of requests and replies come to, as values.
#pragma once

#include "sim/report/results.hpp"
#include "sim/report/traffic_results.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// One network with so many requests outstanding at each processor; nothing for what no request tells.
struct ClosedLoopResult {
    std::string model = "flit"; ///< see NetworkModel
    std::string topology;
    std::string routing;
    std::string pattern;
    std::string request_flits;
    std::string reply_flits;
    std::uint32_t vcs = 1;
    std::uint64_t seed = 1;
    std::uint32_t outstanding = 1;
    std::uint32_t message_classes = 2;
    std::optional<std::uint32_t> reply_vcs = {};
    double answered_rate = 0;
    std::optional<double> answered_rate_error;
    double accepted_flit_rate = 0;
    std::uint64_t answered = 0;
    std::optional<double> average_round_trip_cycles;
    std::optional<double> average_round_trip_error_cycles;
    std::optional<std::uint64_t> median_round_trip_cycles;
    std::optional<std::uint64_t> p95_round_trip_cycles;
    std::optional<std::uint64_t> p99_round_trip_cycles;
    std::optional<std::uint64_t> maximum_round_trip_cycles;
    std::uint64_t time_cycles = 0;
    double cycle_ns = 1;
    std::optional<std::uint64_t> blocked_cycles;
    std::optional<std::uint64_t> credit_wait_cycles;
    std::optional<std::uint64_t> head_wait_cycles;
    std::optional<Stall> stall;
    std::vector<LatencyCount> histogram = {};
    std::vector<FlowLatency> flows = {};
    std::string routing_taken = {};
    std::string selection = {}; ///< empty if nothing is selected

    friend bool operator==(const ClosedLoopResult&, const ClosedLoopResult&) = default;
};
Fields<ClosedLoopResult> fields_of(const ClosedLoopResult*);

struct ClosedLoopResults {
    std::vector<ClosedLoopResult> closed_loop;
};
Fields<ClosedLoopResults> fields_of(const ClosedLoopResults*);

} // namespace nocturne
