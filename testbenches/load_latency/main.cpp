// Latency over load for networks of one size, and an all-to-all scatter on the same axes; README.md says what
// is asked and what came out.
#include "models/topology/files.hpp"
#include "sim/report/progress.hpp"
#include "testbenches/load_latency/collectives.hpp"
#include "testbenches/load_latency/curves.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <set>

namespace {

using namespace nocturne;
using namespace nocturne::load_latency;

struct Configuration {
    std::string curves;
    MeasurementPlan plan;
    CollectiveRuns collectives;
    std::string only; ///< a topology; empty: all
    std::string expected_curves;
    std::string expected_collectives;
    std::string output;
};

std::vector<TrafficCurve> with_pattern(const std::vector<TrafficCurve>& curves, const std::string& pattern)
{
    std::vector<TrafficCurve> chosen;
    std::copy_if(curves.begin(), curves.end(), std::back_inserter(chosen),
                 [&](const TrafficCurve& curve) { return curve.pattern == pattern; });
    return chosen;
}

void write_results(const std::vector<TrafficCurve>& curves, const std::vector<CollectiveRun>& runs,
                   const Configuration& configuration)
{
    testbench::Files files;
    files.emplace_back("saturation.csv", csv_of(saturation_table(curves)));
    files.emplace_back("points.csv", csv_of(table_of("", curves)));
    files.emplace_back("collectives.csv", csv_of(collective_table(runs)));
    std::set<std::string> patterns;
    for (const TrafficCurve& curve : curves)
        patterns.insert(curve.pattern);
    for (const std::string& pattern : patterns)
        files.emplace_back(pattern + ".svg", load_latency_picture(with_pattern(curves, pattern)));
    for (const std::string& topology : configuration.collectives.topologies)
        files.emplace_back(testbench::file_name(topology) + ".svg",
                           collective_picture(topology, runs, with_pattern(curves, "uniform")));
    testbench::write_files(configuration.output, files);
}

int run(Configuration configuration)
{
    std::vector<CurveSpecification> specifications = read_curves(configuration.curves);
    if (!configuration.only.empty()) {
        const auto is_other = [&](const std::string& topology) { return topology != configuration.only; };
        std::erase_if(specifications,
                      [&](const CurveSpecification& curve) { return is_other(curve.topology); });
        std::erase_if(configuration.collectives.topologies, is_other);
    }
    CurveOptions options;
    options.plan = configuration.plan;
    options.plan.saturated_batches = 0; // what is accepted at load 1 is a result: over the whole window
    for (CurveSpecification& curve : specifications)
        curve.seed = configuration.collectives.seed;
    std::vector<TrafficCurve> curves;
    std::vector<CollectiveRun> runs;
    {
        ProgressLine progress("load_latency");
        options.workers.on_progress = [&](std::size_t done, std::size_t total) {
            progress.update(done, total);
        };
        configuration.collectives.on_progress = options.workers.on_progress;
        curves = measure(specifications, options);
        runs = run_collectives(configuration.collectives);
    }
    print_text(std::cout, saturation_table(curves));
    print_text(std::cout << '\n', collective_table(runs));
    std::cout.flush();
    if (!configuration.output.empty())
        write_results(curves, runs, configuration);

    std::vector<std::string> failed;
    for (const CollectiveRun& each : runs)
        if (!each.is_right && !each.is_deadlocked)
            failed.push_back(fmt::format("{}, {}, {} flits, background {}: wrong memories", each.topology,
                                         each.traffic, each.message_flits, each.background));
    const auto compare = [&](const std::string& file, const Table& table) {
        if (!file.empty() && testbench::expected_lines(file, configuration.only) != csv_of(table))
            failed.push_back(fmt::format("the results differ from {}", file));
    };
    compare(configuration.expected_curves, saturation_table(curves));
    compare(configuration.expected_collectives, collective_table(runs));
    return testbench::status_of("load_latency", failed);
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    Configuration configuration;
    po::options_description options;
    options.add_options()("curves", po::value(&configuration.curves)->required(), "file of curves")(
        "warm-up", po::value(&configuration.plan.warm_up_cycles), "cycles of which nothing counts")(
        "window", po::value(&configuration.plan.window_cycles), "cycles that are measured")(
        "collective", po::value(&configuration.collectives.topologies)->composing(),
        "network of an all-to-all scatter")(
        "message-flits", po::value(&configuration.collectives.message_flits)->composing(), "of the scatter")(
        "background", po::value(&configuration.collectives.backgrounds)->composing(),
        "load of the traffic beside it")("seed", po::value(&configuration.collectives.seed),
                                         "seed")("only", po::value(&configuration.only), "this network only")(
        "expected-curves", po::value(&configuration.expected_curves), "table that must come out")(
        "expected-collectives", po::value(&configuration.expected_collectives), "table that must come out")(
        "output", po::value(&configuration.output), "folder for tables and pictures");
    return nocturne::testbench::run(argc, argv, "load_latency", options, [&] { return run(configuration); });
}
