// Every single fault of many networks, located by probes; README.md says what is claimed and what came out.
#include "models/topology/files.hpp"
#include "testbenches/fault_location/sweep.hpp"
#include "testbenches/testbench.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

namespace {

using namespace nocturne;
using namespace nocturne::fault_location;

int run(const LocationSweep& configuration)
{
    const std::vector<Tally> tallies = sweep(configuration);
    print_text(std::cout, tally_table(tallies));
    std::cout.flush();
    if (!configuration.output.empty()) {
        const std::filesystem::path folder(configuration.output);
        std::filesystem::create_directories(folder);
        write_file_atomically(folder / "located.csv", csv_of(tally_table(tallies)));
        fmt::print("\nIn {}/: located.csv\n", configuration.output);
    }
    std::vector<std::string> failed;
    for (const Tally& tally : tallies)
        failed.insert(failed.end(), tally.wrong.begin(), tally.wrong.end());
    if (!configuration.expected.empty() &&
        testbench::expected_lines(configuration.expected, configuration.only) != csv_of(tally_table(tallies)))
        failed.push_back(fmt::format("the results differ from {}", configuration.expected));
    return testbench::status_of("fault_location", failed);
}

} // namespace

int main(int argc, char* argv[])
{
    namespace po = boost::program_options;
    LocationSweep configuration;
    po::options_description options;
    options.add_options()("network", po::value(&configuration.networks)->composing(),
                          "one or more")("only", po::value(&configuration.only), "one of the networks")(
        "bytes", po::value(&configuration.bytes)->default_value(64),
        "message size")("expected", po::value(&configuration.expected), "table that must come out")(
        "output", po::value(&configuration.output), "folder for the table");
    return nocturne::testbench::run(argc, argv, "fault_location", options,
                                    [&] { return run(configuration); });
}
