// Replays and runs without a schedule for tests, each in a worker process.
#pragma once

#include "sim/execution/simulate.hpp"
#include "sim/execution/unscheduled.hpp"
#include "sim/replay/replay.hpp"
#include "tests/sim/in_workers.hpp"

#include <string>
#include <vector>

namespace nocturne::test {

struct ReplayCase {
    Schedule schedule;
    Topology topology;
    Synchronization synchronization;
    SimulationOptions options;
};

/// In the order of the cases.
std::vector<ReplayResult> replay_all(const std::vector<ReplayCase>& cases);

/// One run without a schedule.
struct UnscheduledCase {
    std::string topology;
    std::string routing;
    Collective collective;
    PortModel ports;
    UnscheduledTraffic traffic;
    std::uint64_t message_bytes = 64;
    unsigned buffer_flits = 8;
};

std::string to_string(const UnscheduledCase& each);

/// In the order of the cases; the hardware has as many virtual channels as the routing needs.
std::vector<RunResult> run_all(const std::vector<UnscheduledCase>& cases);

} // namespace nocturne::test
