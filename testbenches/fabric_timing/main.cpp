// The timings of a fabric: how far they are from the routers, and how fast.
#include "testbenches/driver/columns.hpp"
#include "testbenches/driver/measured.hpp"
#include "testbenches/fabric_timing/accuracy.hpp"
#include "testbenches/fabric_timing/scenarios.hpp"
#include "testbenches/fabric_timing/speed.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace {

using namespace nocturne;
using namespace nocturne::fabric_timing;

Table accuracy_table(const std::vector<AccuracyRow>& rows)
{
    return table_of(
        "Accuracy", rows,
        {{"initiators", "",
          [](const AccuracyRow& row) { return row.cell.asking == Asking::open ? "open" : "blocking"; }},
         {"load", "%", [](const AccuracyRow& row) { return 100 * row.cell.load; }, 0},
         {"transactions / cycle", "", &AccuracyRow::answered, 4},
         {"flit", "cycles", &AccuracyRow::flit, 1},
         {"at", "cycles", &AccuracyRow::at, 1},
         {"lt", "cycles", &AccuracyRow::lt, 1},
         {"at", "%", &AccuracyRow::at_error_percent, 1},
         {"lt", "%", &AccuracyRow::lt_error_percent, 1}});
}

/// The longest time that an initiator runs ahead, cycles.
double quantum_of(const ScenarioRow& row)
{
    double longest = 0;
    for (const Scenario::Group& group : row.scenario.groups)
        if (group.plan.asking == Asking::blocking)
            longest = std::max(longest, group.plan.quantum_cycles);
    return longest;
}

Table scenario_table(const std::vector<ScenarioRow>& rows, std::uint64_t cycles)
{
    // A message that another lets pass has arrived before its cycles: the last ones may be too early by so
    // much.
    constexpr double settled_cycles = 512;
    return table_of("Scenarios", rows,
                    {{"traffic", "", [](const ScenarioRow& row) { return row.scenario.name; }},
                     {"hottest link", "", &ScenarioRow::hottest_link, 2},
                     {"flit", "cycles", &ScenarioRow::flit, 1},
                     {"lt", "cycles", &ScenarioRow::lt, 1},
                     {"lt", "%", &ScenarioRow::error_percent, 1},
                     {"hottest link, lt", "", &ScenarioRow::lt_hottest_link, 2},
                     {"settled", "",
                      [=](const ScenarioRow& row) {
                          return row.lt_hottest_link - settled_cycles / static_cast<double>(cycles);
                      },
                      2},
                     {"steady", "", [](const ScenarioRow& row) { return row.is_steady ? "yes" : "no"; }},
                     {"quantum", "cycles", quantum_of, 0}});
}

Table speed_table(const std::vector<SpeedRow>& rows)
{
    return table_of(
        "Speed", rows,
        {{"topology", "", &SpeedRow::topology},
         {"interconnect", "", &SpeedRow::interconnect},
         {"transport", "", &SpeedRow::transport},
         {"transactions", "", &SpeedRow::transactions},
         {"time", "s", &SpeedRow::seconds, 3},
         {"million transactions / s", "",
          [](const SpeedRow& row) { return static_cast<double>(row.transactions) / row.seconds / 1e6; }, 3}});
}

testbench::Measured measure(const nlohmann::json& settings)
{
    const auto what = settings.at("measure").get<std::string>();
    const std::string topology = settings.at("topology");
    const std::uint64_t cycles = settings.at("cycles");
    const std::uint64_t transactions = settings.at("transactions");
    if (what == "accuracy")
        return {{{what, accuracy_table(measure_accuracy({topology}, cycles))}}};
    if (what == "scenarios")
        return {{{what, scenario_table(measure_scenarios(named_scenarios(), cycles), cycles)}}};
    if (what == "random") {
        std::vector<Scenario> scenarios;
        const std::uint64_t first = settings.at("seed");
        for (std::uint64_t seed = first; seed < first + settings.at("seeds").get<std::uint64_t>(); ++seed)
            scenarios.push_back(random_scenario(seed));
        return {{{what, scenario_table(measure_scenarios(scenarios, cycles), cycles)}}};
    }
    if (what == "speed")
        return {{{what, speed_table(measure_speed(topology, transactions))}}};
    if (what == "growth")
        return {{{what, speed_table(measure_growth({"mesh:4x4", "mesh:8x8", "mesh:16x16"}, transactions))}}};
    throw std::invalid_argument(
        fmt::format("measure={}: accuracy, scenarios, random, speed or growth", what));
}

} // namespace

int main(int argc, char* argv[])
{
    return testbench::run(argc, argv, "fabric_timing", measure);
}
