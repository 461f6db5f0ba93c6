#include "sim/cli/command.hpp"

#include "models/topology/files.hpp"
#include "sim/cli/subcommands.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cmath>
#include <iostream>
#include <sstream>
#include <stdexcept>

namespace nocturne::cli {

namespace po = boost::program_options;

std::span<const Command> commands()
{
    static constexpr Command table[]{
        {"topology", "describe, convert or draw a network, check a routing for deadlock", run_topology},
        {"bound", "lower bounds on the steps of any schedule, with reasons", run_bound},
        {"schedule", "search the schedule with the fewest steps", run_schedule},
        {"reschedule", "a schedule for what faults have left of its network", run_reschedule},
        {"evolve", "repeat the papers' experiments with evolutionary engines", run_evolve},
        {"certify", "check the schedule and the lower bound of a result file", run_certify},
        {"validate", "judge a schedule; find the paths that it leaves out", run_validate},
        {"replay", "run a schedule on simulated hardware", run_replay},
        {"recover", "run a schedule in which a link or a router fails, and bring it to its end", run_recover},
        {"traffic", "latency over load for traffic that nobody scheduled, saturation, traces", run_traffic},
        {"benes", "randomized routing of permutations on Benes networks, over all designs of a size",
         run_benes},
        {"compare", "a schedule against the same messages without one, over message sizes", run_compare},
    };
    return table;
}

std::istream& operator>>(std::istream& in, Count& count)
{
    if ((in >> std::ws).peek() == '-')
        in.setstate(std::ios::failbit);
    return in >> count.value;
}

std::ostream& operator<<(std::ostream& out, const Count& count)
{
    return out << count.value;
}

po::options_description common_options()
{
    po::options_description options("Common options");
    options.add_options()("help,h",
                          "this text")("config", po::value<std::string>()->value_name("FILE"),
                                       "more options, as `option = value` lines; the command line wins")(
        "json", po::bool_switch(), "print one JSON object and nothing else")(
        "seed", po::value<Count>()->value_name("N")->default_value({1}),
        "of everything random")("workers", po::value<Count>()->value_name("N")->default_value({0}),
                                "simulations at a time; 0: one for each core");
    return options;
}

po::variables_map parse(const Usage& usage, const std::vector<std::string>& arguments,
                        const po::options_description& options)
{
    po::positional_options_description positional;
    positional.add(std::string(usage.positional).c_str(), 1);
    // No guessing: an option that is added later must not change what an abbreviation meant.
    const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::variables_map map;
    const po::parsed_options parsed =
        po::command_line_parser(arguments).options(options).positional(positional).style(style).run();
    po::store(parsed, map);
    if (map.count("help") != 0) {
        fmt::print("usage: nocturne {} [OPTIONS] {}\n\n{}\n{}", usage.command, usage.positional,
                   usage.description, fmt::streamed(options));
        return map;
    }
    if (map.count("config") != 0) {
        const auto& path = map["config"].as<std::string>();
        std::istringstream file(read_file(path));
        try {
            po::store(po::parse_config_file(file, options), map);
        } catch (const po::error& error) {
            throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
        }
        if (map.count("help") != 0)
            throw std::runtime_error(fmt::format("{}: 'help' is for the command line only", path));
    }
    po::notify(map);
    const bool is_superfluous = !usage.alternative.empty() && map[std::string(usage.alternative)].as<bool>();
    if (map.count(std::string(usage.positional)) == 0 && !is_superfluous)
        throw std::invalid_argument(fmt::format("{}: {} is missing; see 'nocturne {} --help'", usage.command,
                                                usage.positional, usage.command));
    return map;
}

std::uint64_t count_in_range(const po::variables_map& map, const char* option, std::uint64_t least,
                             std::uint64_t most)
{
    const std::uint64_t value = map[option].as<Count>().value;
    if (value < least || value > most)
        throw std::invalid_argument(fmt::format("--{} {}: expected {} to {}", option, value, least, most));
    return value;
}

std::chrono::milliseconds seconds_in_range(const po::variables_map& map, const char* option)
{
    const double seconds = map[option].as<double>();
    constexpr double most = 1e7;
    if (!(seconds > 0) || seconds > most)
        throw std::invalid_argument(
            fmt::format("--{} {}: expected seconds, more than 0 and at most {:.0f}", option, seconds, most));
    return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000)));
}

unsigned workers_of(const po::variables_map& map)
{
    return static_cast<unsigned>(count_in_range(map, "workers", 0, 1024));
}

} // namespace nocturne::cli
