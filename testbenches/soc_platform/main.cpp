// A platform of 4x4 tiles that computes, with its messages scheduled and not; README.md says what is claimed
// and what came out.
#include "testbenches/soc_platform/experiment.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

#include <iostream>
#include <set>

namespace {

using namespace nocturne;
using namespace nocturne::soc_platform;

struct Configuration {
    std::vector<std::string> workloads;
    std::string only;     ///< of the workloads; empty: all
    std::string expected; ///< file; empty: nothing to compare with
    std::string output;   ///< folder; empty: only the terminal
    std::string energy;   ///< file with an energy table
    std::string timeline; ///< one of the workloads; empty: no timelines
    PlatformConfig platform;
};

std::vector<std::string> chosen_workloads(const Configuration& configuration)
{
    std::vector<std::string> chosen;
    for (const std::string& workload : configuration.workloads)
        if (configuration.only.empty() || configuration.only == workload)
            chosen.push_back(workload);
    if (configuration.workloads.empty())
        throw std::invalid_argument("no --workload");
    if (chosen.empty())
        throw std::invalid_argument(fmt::format("--only {}: no such workload", configuration.only));
    return chosen;
}

void write_results(const Configuration& configuration, const std::vector<Run>& runs)
{
    testbench::Files files{{"results.csv", csv_of(table_of(runs))}};
    std::set<std::string> kinds;
    for (const Run& run : runs)
        kinds.insert(run.workload.substr(0, run.workload.find(':')));
    for (const std::string& kind : kinds)
        files.emplace_back(kind + ".svg", picture_of(runs, kind));
    for (const Run& run : runs)
        if (run.has_timeline)
            files.emplace_back(
                testbench::file_name(fmt::format("{} {}", run.workload, to_string(run.communication))) +
                    ".trace.json",
                run.timeline);
    testbench::write_files(configuration.output, files);
}

int run(const Configuration& configuration)
{
    std::vector<Run> runs = runs_of(chosen_workloads(configuration), configuration.platform);
    for (Run& each : runs)
        each.has_timeline = each.workload == configuration.timeline && each.timing == FabricTiming::flit &&
                            each.background_gap_cycles <= 0;
    carry_out(runs, configuration.platform, read_energy_table(configuration.energy));
    print_text(std::cout, table_of(runs));
    std::cout.flush();
    if (!configuration.output.empty())
        write_results(configuration, runs);
    std::vector<std::string> failed = contradictions(runs);
    if (!configuration.expected.empty() &&
        testbench::expected_lines(configuration.expected, configuration.only) != csv_of(table_of(runs)))
        failed.push_back(fmt::format("the results differ from {}", configuration.expected));
    return testbench::status_of("soc_platform", failed);
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    Configuration configuration;
    PlatformConfig& platform = configuration.platform;
    platform.fabric = default_fabric();
    po::options_description options;
    options.add_options()("workload", po::value(&configuration.workloads)->composing(),
                          "fft:N or matmul:N, one or more")("only", po::value(&configuration.only),
                                                            "one of the workloads")(
        "topology", po::value(&platform.topology)->default_value("torus:4x4"),
        "specification")("background-gap", po::value(&platform.background.gap_cycles)->default_value(20),
                         "of background traffic: mean cycles from a response to the next request of a tile")(
        "copy-start-ns", po::value(&platform.times.copy_start_ns)->default_value(200), "of a DMA engine")(
        "barrier-ns", po::value(&platform.times.barrier_ns)->default_value(20), "of all DMA engines")(
        "energy", po::value(&configuration.energy)->default_value("examples/energy/router_45nm.json"),
        "energy table")("timeline", po::value(&configuration.timeline),
                        "one of the workloads: timelines of its runs with timing flit, to the output folder")(
        "expected", po::value(&configuration.expected), "table that must come out")(
        "output", po::value(&configuration.output), "folder for table and pictures");
    return testbench::run(argc, argv, "soc_platform", options, [&] { return run(configuration); });
}
