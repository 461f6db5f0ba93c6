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
    bool is_steady = true;      ///< at the flit level; false where it does not answer what it is asked
    double flit = 0;            ///< mean latency of a transaction, cycles
    double lt = 0;              ///< likewise
    double lt_hottest_link = 0; ///< flits in a cycle with lt

    double error_percent() const { return 100 * (lt / flit - 1); }
};

/// Those that the documentation has in a table.
std::vector<Scenario> named_scenarios();
/// A small network and traffic that the seed draws: one kind of initiators, or two.
Scenario random_scenario(std::uint64_t seed);

/// Each simulation of so many cycles in a process of its own. Those with `lt` twice: throws std::logic_error,
/// naming the scenario, if they differ.
std::vector<ScenarioRow> measure_scenarios(const std::vector<Scenario>& scenarios, std::uint64_t cycles);

} // namespace nocturne::fabric_timing
