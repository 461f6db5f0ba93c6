#include "models/topology/files.hpp"
#include "sim/benes/benes.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/report/progress.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iostream>
#include <stdexcept>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

constexpr std::uint64_t most_clocks = 1'000'000;

std::vector<std::string> list_of(const po::variables_map& map, const char* option)
{
    std::vector<std::string> parts;
    boost::split(parts, map[option].as<std::string>(), [](char c) { return c == ','; });
    return parts;
}

std::vector<Randomization> randomizations(const po::variables_map& map)
{
    std::vector<Randomization> found;
    for (const std::string& name : list_of(map, "randomization")) {
        if (name != "single" && name != "multiple")
            throw std::invalid_argument(fmt::format(
                "--randomization '{}': single (SR), multiple (MR) or both, separated by a comma", name));
        found.push_back(name == "single" ? Randomization::single : Randomization::multiple);
    }
    return found;
}

std::vector<BenesReference> references(const po::variables_map& map)
{
    std::vector<BenesReference> found;
    if (map.count("references") == 0)
        return found;
    for (const std::string& name : list_of(map, "references")) {
        if (name != "looping" && name != "wormhole")
            throw std::invalid_argument(
                fmt::format("--references '{}': looping, wormhole or both, separated by a comma", name));
        found.push_back(name == "looping" ? BenesReference::looping : BenesReference::wormhole);
    }
    return found;
}

CircuitUse circuit_use(const po::variables_map& map)
{
    const std::string name = map["circuit"].as<std::string>();
    if (name != "message" && name != "word")
        throw std::invalid_argument(fmt::format("--circuit '{}': message or word", name));
    return name == "message" ? CircuitUse::message : CircuitUse::word;
}

Arbitration arbitration(const po::variables_map& map)
{
    const std::string name = map["arbitration"].as<std::string>();
    if (name != "random" && name != "lowest-port")
        throw std::invalid_argument(fmt::format("--arbitration '{}': random or lowest-port", name));
    return name == "random" ? Arbitration::random : Arbitration::lowest_port;
}

BenesOptions benes_options(const po::variables_map& map)
{
    BenesOptions options;
    options.randomizations = randomizations(map);
    options.arbitration = arbitration(map);
    options.permutations = list_of(map, "permutations");
    options.references = references(map);
    options.circuit = circuit_use(map);
    options.search_evaluations =
        static_cast<std::uint32_t>(count_in_range(map, "search-evaluations", 1, 1'000'000));
    options.samples = static_cast<std::uint32_t>(count_in_range(map, "samples", 2, 1'000'000));
    options.reference_samples =
        static_cast<std::uint32_t>(count_in_range(map, "reference-samples", 2, 1'000'000));
    options.message_bits = count_in_range(map, "message-bits", 1, std::uint64_t{1} << 40);
    options.setup_clocks = static_cast<std::uint32_t>(count_in_range(map, "setup-clocks", 0, most_clocks));
    options.release_clocks =
        static_cast<std::uint32_t>(count_in_range(map, "release-clocks", 0, most_clocks));
    options.delay_limit = static_cast<std::uint32_t>(count_in_range(map, "delay-limit", 1, most_clocks));
    options.seed = map["seed"].as<Count>().value;
    options.workers = workers_of(map);
    return options;
}

/// A line for each kind of permutation: the design that routes it fastest by randomization.
void print_best(std::span<const BenesPoint> points, std::span<const std::string> kinds)
{
    for (const std::string& kind : kinds) {
        const BenesPoint* best = nullptr;
        for (const BenesPoint& point : points)
            if (point.permutations == kind &&
                (point.randomization == "single" || point.randomization == "multiple"))
                best = best == nullptr || point.mean_clocks < best->mean_clocks ? &point : best;
        if (best != nullptr)
            fmt::print("lowest mean latency: {}, {} randomization, {} permutations: {:.1f} clocks\n",
                       best->network, best->randomization, kind, best->mean_clocks);
    }
}

} // namespace

int run_benes(const std::vector<std::string>& arguments)
{
    po::options_description options = common_options();
    const auto count = [](std::uint64_t value) {
        return po::value<Count>()->value_name("N")->default_value(Count{value});
    };
    options.add_options()(
        "processors", po::value<Count>()->value_name("N"),
        "machine size: all switch sizes q and lengths with q^n = N; the argument without a name")(
        "pins", count(256), "input pins of a switch: links have pins / q bits")(
        "randomization", po::value<std::string>()->value_name("LIST")->default_value("single,multiple"),
        "one tag for all attempts, or a new one for each")(
        "arbitration", po::value<std::string>()->value_name("A")->default_value("random"),
        "which request wins an output: random or lowest-port")(
        "permutations", po::value<std::string>()->value_name("LIST")->default_value("random"),
        "random, transpose, complement, reversal, shuffle, tornado, neighbour, worst (found by search)")(
        "search-evaluations", count(400), "permutations that the search for a worst one tries")(
        "samples", count(300), "permutations of each kind")(
        "references", po::value<std::string>()->value_name("LIST"),
        "rows to compare with: looping (no conflicts), wormhole (flit level, random tags)")(
        "reference-samples", count(20),
        "permutations of each kind for the references")("message-bits", count(256), "size of a message")(
        "circuit", po::value<std::string>()->value_name("C")->default_value("message"),
        "what one circuit carries: a message, or a word of it")("setup-clocks", count(1),
                                                                "clock cycles to set the switch of a column")(
        "release-clocks", count(0), "clock cycles at the end of a network cycle")(
        "delay-limit", count(6), "network cycles: the share of permutations that need no more is printed")(
        "csv", po::value<std::string>()->value_name("FILE"), "write the table");
    const po::variables_map map =
        parse({.command = "benes",
               .positional = "processors",
               .description =
                   "Routes permutations by randomized self-routing over every (truncated) Benes network of a "
                   "machine size, and\nsays what they take in network cycles and clock cycles.\n",
               .examples = {"nocturne benes 64 --samples 20",
                            "nocturne benes 16 --permutations random,transpose --csv designs.csv"}},
              arguments, options);
    if (map.count("help") != 0)
        return all_is_well;
    const auto processors = static_cast<std::uint32_t>(count_in_range(map, "processors", 2, 1U << 20));
    const auto pins = static_cast<std::uint32_t>(count_in_range(map, "pins", 2, 1U << 20));
    BenesOptions benes = benes_options(map);
    if (map.count("csv") != 0)
        require_file_place(map["csv"].as<std::string>());
    const std::vector<BenesDesign> designs = benes_designs(processors, pins);
    std::vector<BenesPoint> points;
    {
        ProgressLine progress("benes");
        benes.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
        points = evaluate_benes(designs, benes);
    }
    const Table table = benes_table(points);
    if (map.count("csv") != 0) {
        write_file_atomically(map["csv"].as<std::string>(), csv_of(with_origin(table, origin_of(map))));
    }
    if (map["json"].as<bool>()) {
        std::cout << nlohmann::json{{"points", points}}.dump(2) << '\n';
        return all_is_well;
    }
    print_text(std::cout, fold_constant_columns(table));
    print_best(points, benes.permutations);
    return all_is_well;
}

} // namespace nocturne::cli
