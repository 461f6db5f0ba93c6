// What closed loops of requests and replies come to, as values and as a table.
#pragma once

#include "sim/report/results.hpp"
#include "sim/report/table.hpp"
#include "sim/report/traffic_results.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace nocturne {

/// One network with so many requests outstanding at each processor.
struct ClosedLoopResult {
    std::string topology;
    std::string routing;
    std::string pattern;
    std::string request_flits;
    std::string reply_flits;
    std::uint32_t vcs = 1; ///< virtual channels of a link
    std::uint64_t seed = 1;
    std::uint32_t outstanding = 1;
    std::uint32_t message_classes =
        2; ///< 2: requests and replies have virtual channels of their own; 1: they share them
    double answered_rate = 0; ///< requests answered in the window, per processor and cycle
    std::optional<double>
        answered_rate_error;       ///< half the width of its 95 % confidence interval, by batch means
    double accepted_flit_rate = 0; ///< flits of both that arrived in the window, per processor and cycle
    std::uint64_t answered = 0;    ///< in the window
    /// Of those, cycles from the request's creation to the reply's arrival; nothing without one.
    std::optional<double> average_round_trip_cycles;
    std::optional<double> average_round_trip_error_cycles;
    std::optional<std::uint64_t> median_round_trip_cycles;
    std::optional<std::uint64_t> p95_round_trip_cycles;
    std::optional<std::uint64_t> p99_round_trip_cycles;
    std::optional<std::uint64_t> maximum_round_trip_cycles;
    std::uint64_t cycles = 0;             ///< until the network was empty, or stood still
    std::uint64_t blocked_cycles = 0;     ///< as RunResult's, of the whole run
    std::uint64_t credit_wait_cycles = 0; ///< likewise
    std::optional<Stall> stall;

    friend bool operator==(const ClosedLoopResult&, const ClosedLoopResult&) = default;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ClosedLoopResult, topology, routing, pattern, request_flits, reply_flits,
                                   vcs, seed, outstanding, message_classes, answered_rate,
                                   answered_rate_error, accepted_flit_rate, answered,
                                   average_round_trip_cycles, average_round_trip_error_cycles,
                                   median_round_trip_cycles, p95_round_trip_cycles, p99_round_trip_cycles,
                                   maximum_round_trip_cycles, cycles, blocked_cycles, credit_wait_cycles,
                                   stall)

/// One row a result.
Table closed_loop_table(std::span<const ClosedLoopResult> results);

} // namespace nocturne
