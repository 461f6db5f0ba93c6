// Traffic off the beaten track: the timing `lt` beside `flit`.
#pragma once

#include "testbenches/fabric_timing/platform.hpp"

#include <string>
#include <vector>

namespace nocturne::fabric_timing {

/// Initiators with a plan of their own each, and memories that all of them use alike.
struct Scenario {
    std::string name;
    std::string topology;
    struct Group {
        std::vector<ProcessorId> processors;
        TrafficPlan plan;
    };
    std::vector<Group> groups; ///< of initiators; the latency is that of the first group
    std::vector<ProcessorId> memories;
};

struct ScenarioRow {
    Scenario scenario;
    double hottest_link = 0;    ///< flits in a cycle at the flit level
    double flit = 0;            ///< mean latency of a transaction, cycles
    double lt = 0;              ///< likewise
    double lt_hottest_link = 0; ///< flits in a cycle with lt

    double error_percent() const { return 100 * (lt / flit - 1); }
};

/// Each simulation of so many cycles in a process of its own.
std::vector<ScenarioRow> measure_scenarios(std::uint64_t cycles);

} // namespace nocturne::fabric_timing
