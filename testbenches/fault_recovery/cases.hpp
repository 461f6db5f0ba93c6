// What the testbench runs: a network, a collective, with a schedule or without, and what fails when.
#pragma once

#include "schedules/problem/problem.hpp"
#include "sim/recovery/recovery.hpp"

#include <optional>
#include <string>
#include <vector>

namespace nocturne::fault_recovery {

struct Configuration {
    std::vector<std::string> networks;
    std::uint64_t bytes = 0;    ///< of a message
    double intermittent_ns = 0; ///< how long an intermittent fault lasts
};

struct Case {
    Problem problem;
    std::optional<Schedule> schedule; ///< nothing: messages are sent without one
    std::string kind;                 ///< `link`, `router`, `intermittent`
    std::string when;                 ///< `first`, `middle`, `last`
    RecoveryOptions options;
    std::vector<std::string> counted; ///< losses by an independent count, `source>destination`, ascending
    RecoveryResult result = {};

    /// `schedule`, or the order of sending.
    std::string traffic() const;
    /// Without a schedule what holds the channel while an intermittent fault lasts is counted, and need not
    /// be moving.
    bool is_count_exact() const { return schedule || kind != "intermittent"; }
};

/// AAS and AAB on each network: an optimal schedule, then the same messages without one. For each of them a
/// link, a router and a link for a while fail, in the first step, the middle one and the last; without a
/// schedule, under the first message, the middle one and the last that crosses the busiest channel.
std::vector<Case> cases_of(const Configuration& configuration);

/// Fills in the results.
void run_cases(std::vector<Case>& cases);

} // namespace nocturne::fault_recovery
