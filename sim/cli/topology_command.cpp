#include "models/measures/measures.hpp"
#include "models/routing/deadlock.hpp"
#include "models/routing/make_routing.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/dot_format.hpp"
#include "models/topology/drawing.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/files.hpp"
#include "models/topology/graphml_format.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology_files.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/measure_output.hpp"
#include "sim/cli/network_output.hpp"
#include "sim/cli/single_job.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

namespace nocturne::cli {

namespace {

const char* const topology_description =
    "Describes a network, given by a specification (mesh:4x4) or a file (.json, .dot, "
    ".graphml, .anynet),\nwrites it in another format, draws it, measures it, or checks a "
    "routing on it for deadlock.\n";

/// How many channels have which value, if they differ: `{"1": 22, "50": 2}`. A width of 0 is that of a flit.
void add_spread(nlohmann::ordered_json& facts, const char* name, const Topology& topology,
                unsigned Channel::*property)
{
    std::map<unsigned, std::size_t> counts;
    for (const Channel& channel : topology.channels())
        ++counts[channel.*property];
    if (counts.size() < 2)
        return;
    for (const auto& [value, count] : counts)
        facts[name][std::to_string(value)] = count;
}

/// `22 x 1, 2 x 50` for what add_spread() adds.
std::string fact_text(const nlohmann::ordered_json& fact)
{
    if (fact.is_string())
        return fact.get<std::string>();
    if (!fact.is_object())
        return fact.dump();
    std::string text;
    for (const auto& [value, count] : fact.items())
        text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", count.dump(), value);
    return text;
}

nlohmann::ordered_json document(const Topology& topology)
{
    std::size_t largest_degree = 0;
    for (RouterId router = 0; router < topology.router_count(); ++router)
        largest_degree = std::max(largest_degree, topology.channels_from(router).size());
    nlohmann::ordered_json facts{{"topology", topology.name()},
                                 {"processors", topology.processor_count()},
                                 {"routers", topology.router_count()},
                                 {"channels", topology.channel_count()},
                                 {"largest_degree", largest_degree}};
    if (!is_too_large_for_pairs(size_of(topology))) {
        const measures::HopLatency latency = measures::hop_latency(measures::graph_of(topology));
        if (latency.unreachable_pairs == 0) {
            facts["diameter_hops"] = static_cast<std::uint64_t>(latency.maximum);
            facts["mean_distance_hops"] = latency.average;
        }
    }
    facts["default_ports"] = to_string(topology.default_ports());
    add_spread(facts, "latencies_cycles", topology, &Channel::latency_cycles);
    add_spread(facts, "widths_bytes", topology, &Channel::width_bytes);
    return facts;
}

/// Nothing for `own`: the routers stand where the network says.
std::optional<measures::Arrangement> given_arrangement(const std::string& text)
{
    return text == "own" ? std::nullopt : std::optional(measures::parse_arrangement(text));
}

/// Where the routers stand, as --positions or --arrangement say; otherwise, and for `own`, the lengths of the
/// channels count (nothing is returned), or, if there are none, the places of the drawing where all routers
/// have one.
std::vector<Position> positions_of(const Topology& topology, const OptionValues& given)
{
    if (given.has("positions")) {
        const std::string name = given.text("positions");
        std::istringstream in(read_file(name));
        return measures::read_positions(topology, in);
    }
    const std::string arrangement = given.text("arrangement");
    if (const auto arranged = arrangement.empty() ? std::nullopt : given_arrangement(arrangement)) {
        const auto& grid = topology.grid();
        return measures::arrange(*arranged, static_cast<measures::NodeId>(topology.router_count()),
                                 grid && grid->extent.size() == 2 ? grid->extent[1] : 0);
    }
    const bool has_lengths =
        std::ranges::any_of(topology.channels(), [](const Channel& channel) { return channel.length != 0; });
    if (has_lengths)
        return {};
    for (RouterId router = 0; router < topology.router_count() && arrangement.empty(); ++router)
        if (!topology.position(router))
            return {};
    return measures::own_positions(topology);
}

/// What is to be found out of a network, beside what its graph says at once.
struct Questions {
    std::string routing; ///< empty: none
    std::optional<measures::MeasureOptions> measures;
    std::uint64_t seed;
};

/// Reads files too: what a worker reads is in no log of inputs.
Questions questions_of(const Topology& topology, const OptionValues& given)
{
    Questions questions{given.text("routing"), std::nullopt, given.count("seed")};
    if (given.is_on("measure")) {
        require_pairwise_size(topology, "measures");
        measures::MeasureOptions options{.positions = positions_of(topology, given)};
        options.faults.seed = options.bisection.seed = questions.seed;
        options.bisection.evenness = measures::parse_evenness(given.text("bisection"));
        questions.measures = std::move(options);
    }
    return questions;
}

/// What is printed of a network.
struct Description {
    nlohmann::ordered_json facts;
    std::string measures; ///< as a table; empty unless they were asked for
};

Description describe_network(const Topology& topology, const Questions& questions)
{
    Description description{document(topology), ""};
    nlohmann::ordered_json& facts = description.facts;
    if (!questions.routing.empty()) {
        const Routing routing = make_routing(topology, questions.routing, questions.seed);
        const DependencyCheck check = check_deadlock(topology, routing);
        facts["routing"] = routing.name;
        if (const std::string minimal = minimal_text(topology, routing); !minimal.empty())
            facts["paths"] = minimal;
        facts["vc_classes"] = routing.vc_classes.count();
        facts["deadlock_free"] = check.deadlock_free();
        if (!check.deadlock_free())
            facts["cycle"] = describe(topology, check.cycle);
    }
    if (questions.measures) {
        const measures::Measures measured =
            measures::measure(measures::graph_of(topology), *questions.measures);
        facts["measures"] = measures_json(measured);
        std::ostringstream text;
        print_text(text, measures_table(topology.name(), measured));
        for (const std::string& reason : measured.left_out)
            text << "left out: " << reason << '\n';
        description.measures = text.str();
    } else {
        require_connected(topology);
    }
    return description;
}

void print_kinds(const OptionValues& given)
{
    if (given.is_on("json")) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const TopologyKind& kind : topology_kinds())
            list.push_back({{"specification", fmt::format("{}{}", kind.name, kind.parameters)},
                            {"network", kind.help},
                            {"example", kind.example}});
        std::cout << nlohmann::ordered_json{{"networks", std::move(list)}}.dump(2) << '\n';
        return;
    }
    Table table{"Networks", {{"specification", "", Align::left}, {"network", "", Align::left}}, {}};
    for (const TopologyKind& kind : topology_kinds())
        table.add_row({fmt::format("{}{}", kind.name, kind.parameters), std::string(kind.help)});
    print_text(std::cout, table);
}

Usage usage_of_topology()
{
    return {.command = "topology",
            .summary = "describe, convert or draw a network, check a routing for deadlock",
            .positional = "topology",
            .description = topology_description,
            .examples = {"nocturne topology --list", "nocturne topology torus:4x4 --routing auto",
                         "nocturne topology torus:4x4 --measure --arrangement backplane",
                         "nocturne topology clos:3,3,4 -o clos.svg",
                         "nocturne topology mesh:4x4 -o mesh.graphml",
                         "nocturne topology mesh.graphml --json"},
            .alternative = "list",
            .renamed = {{"network", "topology"}}};
}

OptionTable options_of_topology()
{
    OptionTable options;
    options.add(option_table(
        "Network",
        {{"topology", name_value("SPEC"),
          "the network: a specification (mesh:4x4) or a file; the argument without a name"},
         {"format", choice_value("FORMAT", network_formats()),
          "write the network as json, graphml, dot, svg, png or pdf; left out: what the name of --output "
          "ends "
          "in"},
         {"output,o", written_value("FILE"), "to this file, not to standard output"},
         {"list", switch_value(), "list the kinds of networks"},
         {"routing", name_value("NAME"), "check whether this routing can deadlock: " + routing_help()},
         {"measure", switch_value(),
          "latencies with bounds, under contention and with faults; wires, connectivity, bisection"},
         {"arrangement",
          text_value("NAME").parsed_by(given_arrangement),
          "with --measure, where the routers stand: own (channel lengths, or the places in the drawing), "
          "backplane, centerplane or grid; left out: own, if it is known",
          {"measure"}},
         {"bisection",
          text_value("PARTS", "40%").parsed_by(measures::parse_evenness),
          "with --measure, how even the parts are: 40% (each has at least so many of the processors) or "
          "halves",
          {"measure"}},
         {"positions",
          name_value("FILE"),
          "with --measure, where the routers stand: lines ROUTER X Y",
          {"measure"}}}));
    return options;
}

int run_topology(const OptionValues& given)
{
    const bool as_json = given.is_on("json");
    if (given.is_on("list")) {
        refuse_given(given, {"topology", "format", "output", "routing", "measure", "seed"},
                     "a network, and no --list beside it");
        print_kinds(given);
        return all_is_well;
    }
    const Topology topology = topology_from(given.text("topology"));
    const std::string format = network_format(given);
    const bool measures = given.is_on("measure");
    if (!measures && !given.has("routing"))
        refuse_given(given, {"seed"}, takes_chance);
    if (given.has("arrangement") && given.has("positions"))
        throw std::invalid_argument("--arrangement and --positions: one of them");
    const bool wants_facts = format.empty() || as_json || measures || given.has("routing");
    if (!format.empty() && !given.has("output") && wants_facts)
        throw std::invalid_argument("--format: with --json, --measure or --routing it needs an --output");
    // The facts first: if the routing is refused, nothing is to be written.
    nlohmann::ordered_json facts;
    std::string table;
    const Questions questions = questions_of(topology, given);
    if (wants_facts) { // facts as text: a JSON value from a worker has its members in another order
        const nlohmann::json described = run_alone("topology", [&] {
            const Description description = describe_network(topology, questions);
            return nlohmann::json{description.facts.dump(), description.measures};
        });
        facts = nlohmann::ordered_json::parse(described.at(0).get<std::string>());
        table = described.at(1).get<std::string>();
    }
    if (!format.empty()) {
        const std::string text = in_network_format(topology, format);
        if (given.has("output"))
            write_file_atomically(given.text("output"), text);
        else
            std::cout << text;
        if (!wants_facts)
            return all_is_well;
    }
    if (as_json) {
        std::cout << facts.dump(2) << '\n';
    } else {
        for (const auto& [key, value] : facts.items())
            if (key != "measures")
                std::cout << fmt::format("{:<20} {}\n", key, fact_text(value));
        std::cout << (table.empty() ? "" : "\n") << table;
    }
    return facts.value("deadlock_free", true) ? all_is_well : check_failed;
}

} // namespace

Command topology_command()
{
    return {usage_of_topology(), options_of_topology, run_topology};
}

} // namespace nocturne::cli
