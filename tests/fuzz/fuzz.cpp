// Runs `nocturne` on damaged command lines and files, as many as one likes, and says which it did not take
// well.
#include "tests/fuzz/command_inputs.hpp"

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include <exception>
#include <map>
#include <sstream>

namespace {

namespace po = boost::program_options;
using namespace nocturne::test;

int run(const po::variables_map& map)
{
    const std::filesystem::path place = std::filesystem::absolute(map["folder"].as<std::string>());
    const CommandInputs inputs(place);
    const auto first = map["seed"].as<std::uint64_t>();
    const auto count = map["inputs"].as<std::uint64_t>();
    const std::chrono::seconds limit(map["limit"].as<unsigned>());
    std::map<int, std::uint64_t> by_status;
    std::uint64_t complaints = 0;
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const CommandInput input = inputs.make(seed);
        const CommandRun result = run_command(input, place, limit);
        ++by_status[result.status];
        const std::string reason = complaint(result);
        if (map["show"].as<bool>() || !reason.empty())
            fmt::print("seed {}: {}\n{}status {}\n{}{}\n", seed, reason, to_text(input), result.status,
                       result.out, result.err);
        complaints += !reason.empty();
        std::fflush(stdout);
    }
    fmt::print("{} inputs from seed {}, {} complaints; by status:", count, first, complaints);
    for (const auto& [status, runs] : by_status)
        fmt::print(" {}: {}", status, runs);
    fmt::print("\n");
    return complaints == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char* argv[])
try {
    po::options_description options("Options");
    options.add_options()("help", "this text")("folder",
                                               po::value<std::string>()->default_value("fuzz_folder"),
                                               "where the inputs are tried; emptied for each")(
        "seed", po::value<std::uint64_t>()->default_value(1),
        "of the first input")("inputs", po::value<std::uint64_t>()->default_value(1000), "how many")(
        "limit", po::value<unsigned>()->default_value(10),
        "seconds for each")("show", po::bool_switch(), "print all inputs and what came of them");
    po::variables_map map;
    po::store(po::parse_command_line(argc, argv, options), map);
    if (map.count("help") != 0) {
        fmt::print("usage: fuzz [OPTIONS]\n{}", (std::ostringstream() << options).str());
        return 0;
    }
    return run(map);
} catch (const std::exception& error) {
    fmt::print(stderr, "fuzz: {}\n", error.what());
    return 2;
}
