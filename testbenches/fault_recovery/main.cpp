// Links and routers that fail in the middle of a collective, and how long it takes until all is right again;
// README.md says what is claimed and what came out.
#include "models/topology/files.hpp"
#include "testbenches/fault_recovery/findings.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace {

using namespace nocturne;
using namespace nocturne::fault_recovery;

void write_results(const std::vector<Case>& cases, const Configuration& configuration)
{
    nlohmann::json document = nlohmann::json::array();
    for (const Case& each : cases)
        document.push_back(each.result);
    const std::filesystem::path folder(configuration.output);
    std::filesystem::create_directories(folder);
    write_file_atomically(folder / "phases.csv", csv_of(phase_table(cases)));
    write_file_atomically(folder / "results.json", document.dump(1) + "\n");
    for (const std::string& network : configuration.networks)
        if (configuration.only.empty() || configuration.only == network)
            write_file_atomically(folder / (testbench::file_name(network) + ".svg"),
                                  phase_picture(network, cases));
    fmt::print("\nIn {}/: phases.csv results.json, a picture of each network\n", configuration.output);
}

int run(const Configuration& configuration)
{
    std::vector<Case> cases = cases_of(configuration);
    run_cases(cases);
    print_text(std::cout, phase_table(cases));
    std::cout.flush();
    double longest = 0;
    for (const Case& each : cases)
        longest = std::max(longest, each.result.search_seconds);
    fmt::print("The longest search for a repair took {:.2f} s of wall-clock time.\n", longest);
    if (!configuration.output.empty())
        write_results(cases, configuration);
    std::vector<std::string> failed = contradictions(cases);
    if (!configuration.expected.empty() &&
        testbench::expected_lines(configuration.expected, configuration.only) != csv_of(phase_table(cases)))
        failed.push_back(fmt::format("the results differ from {}", configuration.expected));
    return testbench::status_of("fault_recovery", failed);
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    Configuration configuration;
    po::options_description options;
    options.add_options()("network", po::value(&configuration.networks)->composing(),
                          "one or more")("only", po::value(&configuration.only), "one of the networks")(
        "bytes", po::value(&configuration.bytes)->default_value(1024), "message size")(
        "intermittent-ns", po::value(&configuration.intermittent_ns)->default_value(200),
        "how long an intermittent fault lasts")("expected", po::value(&configuration.expected),
                                                "table that must come out")(
        "output", po::value(&configuration.output), "folder for the table and all results");
    return nocturne::testbench::run(argc, argv, "fault_recovery", options,
                                    [&] { return run(configuration); });
}
