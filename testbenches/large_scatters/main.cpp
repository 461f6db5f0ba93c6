// All-to-all scatters of 64 to 1056 processors, beside their bounds; README.md says what is claimed and what
// came out.
#include "models/topology/json_format.hpp"
#include "sim/report/progress.hpp"
#include "testbenches/large_scatters/measure.hpp"
#include "testbenches/large_scatters/networks.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <stdexcept>
#include <utility>

namespace {

using namespace nocturne;
using namespace nocturne::large_scatters;

struct Configuration {
    std::string networks;
    std::string only; ///< part of a network's name; empty: all
    double budget_seconds = 300;
    std::uint64_t memory_mib = 4096;
    SearchLimits limits;
    std::string expected;
    double margin_percent = 1;
    std::string output;
};

/// The networks that are no kinds of topology, for `nocturne schedule FILE`.
testbench::Files network_files(const std::vector<Row>& rows)
{
    testbench::Files files;
    for (const Row& row : rows)
        if (row.network.starts_with("dragonfly:") || row.network.starts_with("random_regular:"))
            files.emplace_back(testbench::file_name(row.network) + ".json",
                               to_json(make_network(row.network)));
    return files;
}

int run(Configuration configuration)
{
    if (!(configuration.budget_seconds > 0))
        throw std::invalid_argument("--budget must be more than 0 seconds");
    SearchLimits& limits = configuration.limits;
    limits.budget = std::chrono::milliseconds(std::llround(configuration.budget_seconds * 1000));
    limits.most_memory = configuration.memory_mib << 20;
    std::vector<Row> rows = read_rows(configuration.networks);
    std::erase_if(rows, [&](const Row& row) {
        return (row.network + " " + row.fault).find(configuration.only) == std::string::npos;
    });
    testbench::require_chosen(rows.size(), configuration.only, configuration.networks);
    std::vector<Result> results;
    {
        ProgressLine progress("large scatters");
        for (const Row& row : rows) {
            results.push_back(measure(row, limits));
            progress.update(results.size(), rows.size());
        }
    }
    print_text(std::cout, result_table(results));
    std::cout.flush();
    if (!configuration.output.empty()) {
        testbench::Files files = network_files(rows);
        files.emplace_back("large_scatters.csv", csv_of(result_table(results)));
        testbench::write_files(configuration.output, files);
    }
    return testbench::status_of(
        "large_scatters", failures(results, limits, configuration.expected, configuration.margin_percent));
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    Configuration configuration;
    po::options_description options;
    options.add_options()("networks", po::value(&configuration.networks)->required(),
                          "CSV file with the networks")("only", po::value(&configuration.only),
                                                        "those that have this in network and fault")(
        "engine", po::value(&configuration.limits.engine)->default_value("auto"),
        "of the search")("budget", po::value(&configuration.budget_seconds)->default_value(300),
                         "seconds for a network, at most")(
        "memory-mib", po::value(&configuration.memory_mib)->default_value(4096), "for a process, at most")(
        "seed", po::value(&configuration.limits.seed)->default_value(1), "of the search")(
        "workers", po::value(&configuration.limits.workers)->default_value(2), "processes; 0: one a core")(
        "expected", po::value(&configuration.expected), "table that must be kept up with")(
        "margin", po::value(&configuration.margin_percent)->default_value(1),
        "per cent of the bound that a schedule may be worse")("output", po::value(&configuration.output),
                                                              "folder for table and networks");
    return nocturne::testbench::run(argc, argv, "large_scatters", options,
                                    [&] { return run(configuration); });
}
