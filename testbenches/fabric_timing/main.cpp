// The timings of a fabric: how far they are from the routers, and how fast.
#include "testbenches/fabric_timing/accuracy.hpp"
#include "testbenches/fabric_timing/scenarios.hpp"
#include "testbenches/fabric_timing/speed.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace {

using namespace nocturne;
using namespace nocturne::fabric_timing;

int run_accuracy(const std::string& topology, std::uint64_t cycles)
{
    const std::vector<AccuracyRow> rows = measure_accuracy({topology}, cycles);
    fmt::print("| initiators | load | transactions / cycle | flit | at | lt | at, % | lt, % |\n");
    fmt::print("| --- | --: | --: | --: | --: | --: | --: | --: |\n");
    double worst = 0;
    for (const AccuracyRow& row : rows) {
        const bool is_open = row.cell.asking == Asking::open;
        fmt::print("| {} | {:.0f} % | {:.4f} | {:.1f} | {:.1f} | {:.1f} | {:+.1f} | {:+.1f} |\n",
                   is_open ? "open" : "blocking", 100 * row.cell.load, row.answered, row.flit, row.at, row.lt,
                   row.at_error_percent(), row.lt_error_percent());
        if (!is_open || row.cell.load <= 0.5)
            worst = std::max(worst, std::abs(row.lt_error_percent()));
    }
    fmt::print("\nlt: within {:.1f} % up to half of saturation\n", worst);
    std::vector<std::string> failed;
    if (worst > 10)
        failed.push_back(fmt::format("lt: {:.1f} % is more than 10 %", worst));
    return testbench::status_of("fabric_timing", failed);
}

/// Fails where `lt` is further from `flit` than `most_percent` and no link is used for more than 80 %.
int run_scenarios(const std::vector<Scenario>& scenarios, std::uint64_t cycles, double most_percent)
{
    constexpr double most_load = 0.8;
    constexpr double named_percent = 10;
    std::vector<std::string> failed;
    std::vector<std::string> named;
    unsigned compared = 0;
    fmt::print("| traffic | hottest link | flit | lt | lt, % | hottest link, lt |\n");
    fmt::print("| --- | --: | --: | --: | --: | --: |\n");
    for (const ScenarioRow& row : measure_scenarios(scenarios, cycles)) {
        fmt::print("| {} | {:.2f} | {:.1f} | {:.1f} | {:+.1f} | {:.2f} |\n", row.scenario.name,
                   row.hottest_link, row.flit, row.lt, row.error_percent(), row.lt_hottest_link);
        const bool is_compared = row.hottest_link < most_load && row.is_steady;
        compared += is_compared ? 1 : 0;
        if (is_compared && std::abs(row.error_percent()) > named_percent)
            named.push_back(fmt::format("{}: {:+.1f} %", row.scenario.name, row.error_percent()));
        if (is_compared && std::abs(row.error_percent()) > most_percent)
            failed.push_back(named.back());
        if (row.lt_hottest_link > 1)
            failed.push_back(fmt::format("{}: {:.2f} flits a cycle on a link with lt", row.scenario.name,
                                         row.lt_hottest_link));
    }
    fmt::print("\nlt: more than {:.0f} % off in the {} rows below {:.0f} % of the hottest link: {}\n",
               named_percent, compared, 100 * most_load,
               named.empty() ? "none" : fmt::format("{}", fmt::join(named, "; ")));
    return testbench::status_of("fabric_timing", failed);
}

void print_speed(const std::vector<SpeedRow>& rows)
{
    fmt::print("| topology | interconnect | transport | transactions | s | million transactions / s |\n");
    fmt::print("| --- | --- | --- | --: | --: | --: |\n");
    for (const SpeedRow& row : rows)
        fmt::print("| {} | {} | {} | {} | {:.3f} | {:.3f} |\n", row.topology, row.interconnect, row.transport,
                   row.transactions, row.seconds, static_cast<double>(row.transactions) / row.seconds / 1e6);
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    std::string what;
    std::string topology;
    std::uint64_t cycles = 0;
    std::uint64_t transactions = 0;
    std::uint64_t first_seed = 0;
    std::uint64_t seeds = 0;
    po::options_description description;
    description.add_options()("measure", po::value(&what)->default_value("accuracy"),
                              "accuracy, scenarios, random, speed or growth")(
        "topology", po::value(&topology)->default_value("mesh:4x4"),
        "specification")("cycles", po::value(&cycles)->default_value(200000), "of each simulation")(
        "transactions", po::value(&transactions)->default_value(4000000),
        "speed and growth: about")("seed", po::value(&first_seed)->default_value(1), "random: the first one")(
        "seeds", po::value(&seeds)->default_value(100), "random: so many networks and traffics");
    return testbench::run(argc, argv, "fabric_timing", description, [&] {
        if (what == "accuracy")
            return run_accuracy(topology, cycles);
        if (what == "scenarios")
            return run_scenarios(named_scenarios(), cycles, 12);
        if (what == "random") {
            std::vector<Scenario> scenarios;
            for (std::uint64_t i = 0; i < seeds; ++i)
                scenarios.push_back(random_scenario(first_seed + i));
            return run_scenarios(scenarios, cycles, 10);
        }
        if (what == "speed")
            print_speed(measure_speed(topology, transactions));
        else if (what == "growth")
            print_speed(measure_growth({"mesh:4x4", "mesh:8x8", "mesh:16x16"}, transactions));
        else
            throw std::invalid_argument(
                fmt::format("--measure {}: accuracy, scenarios, random, speed or growth", what));
        return 0;
    });
}
