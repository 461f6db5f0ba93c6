#include "sim/benes/benes.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/report/progress.hpp"

#include <fmt/format.h>

#include <iostream>

namespace nocturne::cli {

namespace {

constexpr std::uint64_t most_clocks = 1'000'000;

std::vector<Randomization> randomizations(const OptionValues& given)
{
    std::vector<Randomization> found;
    for (const std::string& name : parts_of(given.text("randomization")))
        found.push_back(name == "single" ? Randomization::single : Randomization::multiple);
    return found;
}

std::vector<BenesReference> references(const OptionValues& given)
{
    std::vector<BenesReference> found;
    if (!given.has("references"))
        return found;
    for (const std::string& name : parts_of(given.text("references")))
        found.push_back(name == "looping" ? BenesReference::looping : BenesReference::wormhole);
    return found;
}

BenesOptions benes_options(const OptionValues& given)
{
    BenesOptions options;
    options.randomizations = randomizations(given);
    options.arbitration =
        given.text("arbitration") == "random" ? Arbitration::random : Arbitration::lowest_port;
    options.permutations = parts_of(given.text("permutations"));
    options.references = references(given);
    options.circuit = given.text("circuit") == "message" ? CircuitUse::message : CircuitUse::word;
    options.search_evaluations = given.small_count("search-evaluations");
    options.samples = given.small_count("samples");
    options.reference_samples = given.small_count("reference-samples");
    options.message_bits = given.count("message-bits");
    options.setup_clocks = given.small_count("setup-clocks");
    options.release_clocks = given.small_count("release-clocks");
    options.delay_limit = given.small_count("delay-limit");
    options.seed = given.count("seed");
    options.workers = given.workers();
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

OptionTable options_of_benes()
{
    return OptionTable().add(
        {{"processors", count_value("N", {2, 1U << 20}),
          "machine size N: all switch sizes q and lengths n with q^n = N; positional argument"},
         {"pins", count_value(256, {2, 1U << 20}), "input pins of a switch; a link has pins / q bits"},
         {"randomization", choices_value("LIST", {"single", "multiple"}, "single,multiple"),
          "single: one tag for all attempts; multiple: a new tag for each attempt"},
         {"arbitration", choice_value("A", {"random", "lowest-port"}, "random"),
          "which request wins an output: random or lowest-port"},
         {"permutations", name_value("LIST", "random"),
          "random, transpose, complement, reversal, shuffle, rotation, butterfly, tornado, neighbour, worst "
          "(found by search)"},
         {"search-evaluations", count_value(400, {1, 1'000'000}),
          "permutations tried by the search for the worst one"},
         {"samples", count_value(300, {2, 1'000'000}), "permutations of each kind"},
         {"references", choices_value("LIST", {"looping", "wormhole"}),
          "rows to compare with: looping (no conflicts), wormhole (flit level, random tags)"},
         {"reference-samples",
          count_value(20, {2, 1'000'000}),
          "permutations of each kind for the references",
          {"references"}},
         {"message-bits", count_value(256, {1, std::uint64_t{1} << 40}), "size of a message"},
         {"circuit", choice_value("C", {"message", "word"}, "message"),
          "unit carried by one circuit: message or word"},
         {"setup-clocks", count_value(1, {0, most_clocks}), "clock cycles to set the switch of a column"},
         {"release-clocks", count_value(0, {0, most_clocks}), "clock cycles at the end of a network cycle"},
         {"delay-limit", count_value(6, {1, most_clocks}),
          "print the share of permutations that take at most N network cycles"},
         {"csv", written_value("FILE"), "write the table"}});
}

int run_benes(const OptionValues& given)
{
    const auto processors = given.small_count("processors");
    const auto pins = given.small_count("pins");
    BenesOptions benes = benes_options(given);
    const std::vector<BenesDesign> designs = benes_designs(processors, pins);
    std::vector<BenesPoint> points;
    {
        ProgressLine progress("benes");
        benes.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
        points = evaluate_benes(designs, benes);
    }
    const Table table = table_of("Randomized routing of permutations", points);
    write_table(given, "csv", table);
    print_result(BenesResults{points}, given, [&] {
        print_text(std::cout, fold_constant_columns(table));
        print_best(points, benes.permutations);
    });
    return all_is_well;
}

} // namespace

Command benes_command()
{
    return {{.command = "benes",
             .summary = "randomized routing of permutations on Benes networks, over all designs of a size",
             .positional = "processors",
             .description = "Routes permutations by randomized self-routing over every (truncated) Benes "
                            "network of a machine size. Prints\nnetwork cycles and clock cycles.\n",
             .examples = {"nocturne benes 64 --samples 20",
                          "nocturne benes 16 --permutations random,transpose --csv designs.csv"}},
            options_of_benes,
            run_benes,
            {description_of<BenesResults>}};
}

} // namespace nocturne::cli
