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

constexpr double most_load = 0.8; ///< of the hottest link, where lt is compared

/// A message that another lets pass has arrived before its cycles: the last ones may be too early by so much.
constexpr double settled_cycles = 512;

std::vector<std::string> links_beyond_capacity(const std::vector<ScenarioRow>& rows, std::uint64_t cycles)
{
    std::vector<std::string> result;
    for (const ScenarioRow& row : rows)
        if (row.lt_hottest_link > 1 + settled_cycles / static_cast<double>(cycles))
            result.push_back(fmt::format("{}: {:.3f} flits a cycle on a link with lt", row.scenario.name,
                                         row.lt_hottest_link));
    return result;
}

int run_scenarios(std::uint64_t cycles)
{
    constexpr double most_percent = 10;
    const std::vector<ScenarioRow> rows = measure_scenarios(named_scenarios(), cycles);
    std::vector<std::string> failed = links_beyond_capacity(rows, cycles);
    double worst = 0;
    fmt::print("| traffic | hottest link | flit | lt | lt, % | hottest link, lt |\n");
    fmt::print("| --- | --: | --: | --: | --: | --: |\n");
    for (const ScenarioRow& row : rows) {
        fmt::print("| {} | {:.2f} | {:.1f} | {:.1f} | {:+.1f} | {:.2f} |\n", row.scenario.name,
                   row.hottest_link, row.flit, row.lt, row.error_percent(), row.lt_hottest_link);
        if (row.hottest_link >= most_load)
            continue;
        worst = std::max(worst, std::abs(row.error_percent()));
        if (std::abs(row.error_percent()) > most_percent)
            failed.push_back(fmt::format("{}: {:+.1f} %", row.scenario.name, row.error_percent()));
    }
    fmt::print("\nlt: within {:.1f} % below {:.0f} % of the hottest link\n", worst, 100 * most_load);
    return testbench::status_of("fabric_timing", failed);
}

/// By tenth of what the hottest link moves at most.
struct Deviations {
    unsigned networks = 0;
    unsigned within_5_percent = 0;
    unsigned within_10_percent = 0;
    double worst = 0;

    void add(double percent)
    {
        ++networks;
        within_5_percent += percent <= 5 ? 1 : 0;
        within_10_percent += percent <= 10 ? 1 : 0;
        worst = std::max(worst, percent);
    }
};

void print_deviations(const std::vector<Deviations>& tenths, const std::string& kind)
{
    for (std::size_t i = 0; i < tenths.size(); ++i)
        if (tenths[i].networks > 0)
            fmt::print("| {} | {} to {} % | {} | {} | {} | {:.1f} |\n", kind, 10 * i, 10 * (i + 1),
                       tenths[i].networks, tenths[i].within_5_percent, tenths[i].within_10_percent,
                       tenths[i].worst);
}

int run_random(std::uint64_t first_seed, std::uint64_t seeds, std::uint64_t cycles)
{
    constexpr double light_load = 0.3;
    constexpr double most_percent = 20; // under light load
    constexpr double half_load = 0.5;
    constexpr double long_quantum_cycles = 1000;
    std::vector<Scenario> scenarios;
    for (std::uint64_t i = 0; i < seeds; ++i)
        scenarios.push_back(random_scenario(first_seed + i));
    const std::vector<ScenarioRow> rows = measure_scenarios(scenarios, cycles);
    std::vector<std::string> failed = links_beyond_capacity(rows, cycles);
    std::vector<Deviations> in_step(8);
    std::vector<Deviations> ahead(8);
    Deviations below_half;
    for (const ScenarioRow& row : rows) {
        if (row.hottest_link >= most_load || !row.is_steady)
            continue;
        const double percent = std::abs(row.error_percent());
        const bool is_ahead = std::ranges::any_of(row.scenario.groups, [&](const Scenario::Group& group) {
            return group.plan.asking == Asking::blocking && group.plan.quantum_cycles >= long_quantum_cycles;
        });
        (is_ahead ? ahead : in_step)[static_cast<std::size_t>(10 * row.hottest_link)].add(percent);
        if (row.hottest_link < half_load)
            below_half.add(percent);
        if (row.hottest_link < light_load && percent > most_percent)
            failed.push_back(fmt::format("{}: {:+.1f} %", row.scenario.name, row.error_percent()));
    }
    fmt::print("| quantum | hottest link | networks | within 5 % | within 10 % | worst, % |\n");
    fmt::print("| --- | --- | --: | --: | --: | --: |\n");
    print_deviations(in_step, "to 100 cycles");
    print_deviations(ahead, "1000 or 10000 cycles");
    if (below_half.within_10_percent * 10 < below_half.networks * 9)
        failed.push_back(
            fmt::format("lt: only {} of {} networks within 10 % below {:.0f} % of the hottest link",
                        below_half.within_10_percent, below_half.networks, 100 * half_load));
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
            return run_scenarios(cycles);
        if (what == "random")
            return run_random(first_seed, seeds, cycles);
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
