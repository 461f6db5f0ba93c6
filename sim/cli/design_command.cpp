#include "models/measures/graph.hpp"
#include "models/measures/moore_bound.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "schedules/design/edge_exchange.hpp"
#include "schedules/design/gappin.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/design_request.hpp"
#include "sim/cli/network_output.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/search_output.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/design/assessment.hpp"
#include "sim/design/conceptual_networks.hpp"
#include "sim/evolution/stop_on_signal.hpp"
#include "sim/report/progress.hpp"
#include "sim/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <optional>

namespace nocturne::cli {

namespace {

using design::Design;

/// What a search leaves: the network, how an engine that has generations came to it, and the exit status.
struct Found {
    Design design;
    std::vector<design::GappinGeneration> history = {};
    int status = all_is_well; ///< of the signal that ended the search
};

double seconds_of(const OptionValues& given)
{
    return std::chrono::duration<double>(given.seconds("budget")).count();
}

Found search_by_exchange(const design::Request& request, const design::Objective& objective,
                         const OptionValues& given)
{
    design::ExchangeOptions options;
    options.seed = given.count("seed");
    options.workers = given.workers();
    if (given.has("exchanges"))
        options.exchanges = given.count("exchanges");
    if (!given.has("exchanges") || given.is_given("budget"))
        options.seconds = seconds_of(given);
    const StopOnSignal signals;
    options.stop = &signals.flag();
    int status = all_is_well;
    options.on_interrupt = [&](int exit_status) { status = exit_status; };
    ProgressLine line("design");
    options.on_round = [&](const design::ExchangeProgress& now) {
        line.show_text(
            fmt::format("design: round {}, {} exchanges, cost {:.4f}", now.round, now.exchanges, now.cost));
    };
    Design found = exchange_links(request, objective, options);
    return {std::move(found), {}, status != all_is_well ? status : signals.exit_status()};
}

Found search_by_gappin(const design::Request& request, const design::Objective& objective,
                       const OptionValues& given)
{
    design::GappinOptions options;
    options.seed = given.count("seed");
    options.population = static_cast<unsigned>(given.count("population"));
    options.generations = static_cast<unsigned>(given.count("generations"));
    options.mutation = given.real("mutation");
    options.redundant_links = given.real("redundant-links");
    options.duplicates = given.is_on("distinct") ? design::Duplicates::removed : design::Duplicates::kept;
    options.seconds = seconds_of(given);
    const StopOnSignal signals;
    options.stop = &signals.flag();
    design::GappinResult result = gappin(request, objective, options);
    return {std::move(result.design), std::move(result.history), signals.exit_status()};
}

Table history_table(std::span<const design::GappinGeneration> history)
{
    Table table{
        "Generations",
        {{"generation", ""}, {"best cost", ""}, {"median cost", ""}, {"mean age", ""}, {"maximum age", ""}},
        {}};
    if (history.empty())
        return table;
    for (const char* const whose : {"best", "median"})
        for (const design::Term& term : history.front().best_terms)
            table.columns.push_back({fmt::format("{} {}", whose, term.name), ""});
    for (const design::GappinGeneration& each : history) {
        std::vector<Cell> row{std::uint64_t{each.number}, Real{each.best_cost, 4}, Real{each.median_cost, 4},
                              Real{each.mean_age, 1}, std::uint64_t{each.maximum_age}};
        for (const auto* const terms : {&each.best_terms, &each.median_terms})
            for (const design::Term& term : *terms)
                row.emplace_back(Real{term.value, 4});
        table.add_row(std::move(row));
    }
    return table;
}

/// Of networks whose nodes have the same number of links, and one processor each.
std::optional<measures::LatencyBound> latency_bound(const design::Request& request)
{
    const auto& degrees = request.degrees;
    if (!request.processors.empty() ||
        std::ranges::adjacent_find(degrees, std::not_equal_to()) != degrees.end())
        return std::nullopt;
    return measures::moore_bound(request.nodes, degrees.front(), request.kind);
}

/// A term of the cost.
struct DesignTerm {
    design::Term term;
    std::optional<double> bound;
};

Fields<DesignTerm> fields_of(const DesignTerm*)
{
    return {
        "design term",
        "One term of the cost of a designed network.",
        {{"term", "", "Name of the term.", [](const DesignTerm& term) { return term.term.name; }},
         {"weight", "", "Weight of the term in the cost.",
          [](const DesignTerm& term) { return term.term.weight; }},
         {"value", "", "Value of the design.", [](const DesignTerm& term) { return term.term.value; }},
         {"bound", "", "Lower bound for all networks of the request; null if unknown.", &DesignTerm::bound}}};
}

std::vector<DesignTerm> terms_of(const design::Request& request, const Design& found)
{
    const std::optional<measures::LatencyBound> bound = latency_bound(request);
    std::vector<DesignTerm> terms;
    for (const design::Term& term : found.terms) {
        terms.push_back({term, std::nullopt});
        if (bound && term.name == "average latency")
            terms.back().bound = bound->average_with_self;
        if (bound && term.name == "maximum latency")
            terms.back().bound = bound->maximum;
    }
    return terms;
}

/// The design and the conceptual networks of its size.
std::vector<Assessment> assess_all(const Topology& topology, const OptionValues& given)
{
    AssessmentOptions options;
    options.search_budget = given.seconds("search-budget");
    options.seed = given.count("seed");
    options.workers = given.workers();
    options.on_saturation = [](const Topology& network, const Routing& routing,
                               const HardwareConfig& hardware) {
        remark_routing(network, routing);
        remark_hardware(network, hardware);
        print_remarks();
    };
    std::size_t degree = 0;
    for (RouterId id = 0; id < topology.router_count(); ++id)
        degree = std::max(degree, topology.channels_from(id).size());
    std::vector<Topology> networks = conceptual_networks(
        static_cast<std::uint32_t>(topology.processor_count()), static_cast<unsigned>(degree));
    networks.insert(networks.begin(), topology);
    std::vector<Assessment> assessments;
    ProgressLine line("design");
    for (const Topology& network : networks) {
        line.show_text(fmt::format("design: assessing {}", network.name()));
        assessments.push_back(assess(network, options));
    }
    return assessments;
}

/// What is printed of a design.
struct DesignOutput {
    const Topology& topology;
    std::string engine;
    std::uint64_t seed;
    double cost;
    bool is_interrupted;
    std::vector<DesignTerm> terms;
    std::vector<Assessment> networks;
};

Fields<DesignOutput> fields_of(const DesignOutput*)
{
    using Output = DesignOutput;
    return {
        "design",
        "A designed network.",
        {{"topology", "", "Name of the network.",
          [](const Output& output) { return output.topology.name(); }},
         {"routers", "", "Number of routers.",
          [](const Output& output) { return output.topology.router_count(); }},
         {"channels", "", "Number of channels between routers; a bidirectional link is two.",
          [](const Output& output) { return output.topology.channel_count(); }},
         {"engine", "", "Engine that designed it.", &Output::engine},
         {"seed", "", "Seed of the search.", &Output::seed},
         {"cost", "", "Weighted sum of the terms.", &Output::cost},
         {"interrupted", "", interrupted_meaning, &Output::is_interrupted, Shown::in_files},
         {"terms", "", "Terms of the cost.", [](const Output& output) { return output.terms; }},
         {"networks", "", "With `--rank`: the design and the conceptual networks of its size, best first.",
          [](const Output& output) { return by_scatter(output.networks); }, Shown::if_any},
         {"places", "", "Rank of each network by each figure.",
          [](const Output& output) { return places_of(output.networks); }, Shown::if_any}}};
}

OptionTable search_options()
{
    OptionTable options = option_table(
        "Search",
        {{"engine", choice_value("E", {"exchange", "gappin"}, "exchange"),
          "exchange: simulated annealing over exchanges of links; gappin: Marden's genetic algorithm"}});
    options.add_rows_of(weight_options());
    const std::vector<std::string> gappin{"engine=gappin"};
    options.add({{"budget", seconds_value(60), "time limit of the search"},
                 {"exchanges",
                  count_value("N", {1, std::uint64_t{1} << 40}),
                  "number of exchanges to try instead of --budget; gives the same result on every machine",
                  {"engine=exchange"}},
                 {"population", count_value(100, {2, 1'000'000}), "gappin: networks in a generation", gappin},
                 {"generations", count_value(1000, {0, 1'000'000'000}), "gappin: most generations", gappin},
                 {"mutation", real_value("P", 0.02, {0, 1}),
                  "gappin: probability that a link is not inherited", gappin},
                 {"redundant-links", real_value("P", 0, {0, 1}),
                  "gappin: probability that a second link between two nodes is accepted", gappin},
                 {"distinct", switch_value(), "gappin: no two isomorphic networks in a generation", gappin},
                 {"history", written_value("FILE"), "gappin: write a CSV line per generation", gappin},
                 {"rank", switch_value(),
                  "compare with the conceptual networks of this size: find and replay schedules, measure "
                  "saturation; takes minutes"},
                 {"search-budget", seconds_value(5), "time limit per schedule of --rank", {"rank"}},
                 {"output,o", written_value("FILE"), "write the network"},
                 {"format",
                  choice_value("FORMAT", network_formats()),
                  "format of --output: json, graphml, dot, svg, png or pdf; default: by the file's extension",
                  {"output"}}});
    return options;
}

/// Wires may be too short for all the links that were asked for.
void remark_missing_links(const design::Request& request, const Topology& topology)
{
    std::uint64_t channels = 0;
    for (design::NodeId node = 0; node < request.nodes; ++node)
        channels += request.degree(node);
    if (topology.channel_count() < channels)
        InputLog::remark(fmt::format("{}: {} of {} channels: some nodes have fewer links than were asked for",
                                     topology.name(), topology.channel_count(), channels));
}

/// A network does not say which of its links are one-way.
void remark_links_there_and_back(const design::Request& request, const Topology& topology)
{
    const measures::Graph graph = measures::graph_of(topology);
    const auto matched = std::ranges::count_if(
        graph.opposites(), [](measures::ArcId opposite) { return opposite != measures::no_arc; });
    if (request.kind == design::LinkKind::one_way && matched > 0)
        InputLog::remark(fmt::format(
            "{}: {} pairs of one-way links lead there and back: the cost has two links of each, 'topology "
            "--measure' one of both directions (wires, bisection, faults)",
            topology.name(), matched / 2));
}

int run_design(const OptionValues& given)
{
    const std::string format = network_format(given);
    const design::Request request = design_request_of(given);
    const design::Objective objective = objective_of(given, request);
    const Found found = given.text("engine") == "gappin" ? search_by_gappin(request, objective, given)
                                                         : search_by_exchange(request, objective, given);
    const std::string name = fmt::format("design:{},{}", request.nodes, fmt::join(request.degrees, "+"));
    const Topology topology = to_topology(request, found.design, name);
    remark_missing_links(request, topology);
    remark_links_there_and_back(request, topology);
    if (!format.empty())
        write_file_atomically(given.text("output"), in_network_format(topology, format));
    if (given.has("history"))
        write_file_atomically(given.text("history"), csv_of(history_table(found.history)));
    const bool is_ranked = given.is_on("rank") && found.status == all_is_well;
    const std::vector<Assessment> assessments =
        is_ranked ? assess_all(topology, given) : std::vector<Assessment>();
    const DesignOutput output{topology,          given.text("engine"),        given.count("seed"),
                              found.design.cost, found.status != all_is_well, terms_of(request, found.design),
                              assessments};
    print_result(output, given, [&] {
        if (output.is_interrupted)
            std::cout << "interrupted: the best network so far\n";
        print_text(std::cout, table_of(fmt::format("{}: cost {:.4f}", name, output.cost), output.terms));
        if (!assessments.empty()) {
            print_below(table_of("Networks", by_scatter(assessments)));
            print_below(rank_table(assessments));
        }
    });
    return found.status;
}

} // namespace

Command design_command()
{
    return {
        {.command = "design",
         .summary = "design a network: short paths, short wires, few steps",
         .positional = "nodes",
         .description =
             "Designs a network of N nodes with short paths, or with other properties that --weight names.\n"
             "Ctrl-C stops the search and keeps the best network so far.\n",
         .examples =
             {"nocturne design 64 --links 4 --exchanges 100000 -o design.json",
              "nocturne design 16 --links 4 --arrangement backplane --longest-wire 4 --exchanges 10000",
              "nocturne design 16 --links 3 --engine gappin --generations 50 --history cost.csv"}},
        [] { return OptionTable().add(design_request_options()).add(search_options()); },
        run_design,
        {description_of<DesignOutput>}};
}

} // namespace nocturne::cli
