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
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/measure_output.hpp"
#include "sim/cli/network_output.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/single_job.hpp"
#include "sim/cli/subcommands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

namespace nocturne::cli {

namespace {

const char* const topology_description =
    "Describes a network (specification such as mesh:4x4, or a file: .json, .dot, .graphml, .anynet, .yml), "
    "converts,\ndraws or measures it, or checks a routing for deadlock.\n";

/// How many channels have which latency or width.
struct ChannelCount {
    unsigned value;
    std::size_t channels;
};

Fields<ChannelCount> fields_of(const ChannelCount*)
{
    return {"channel count",
            "Number of channels with one latency or width.",
            {{"value", "", "A latency in cycles, or a width in bytes; 0: that of a flit.",
              [](const ChannelCount& count) { return count.value; }},
             {"channels", "", "Number of channels with this value.",
              [](const ChannelCount& count) { return count.channels; }}}};
}

/// None if all have the same.
std::vector<ChannelCount> spread_of(const Topology& topology, unsigned Channel::* property)
{
    std::map<unsigned, std::size_t> counts;
    for (const Channel& channel : topology.channels())
        ++counts[channel.*property];
    std::vector<ChannelCount> spread;
    if (counts.size() > 1)
        for (const auto& [value, count] : counts)
            spread.push_back({value, count});
    return spread;
}

/// What is found out about a routing.
struct RoutingFacts {
    std::string name;
    std::string paths;
    unsigned vc_classes;
    bool deadlock_free;
    std::optional<std::string> cycle; ///< if there is one
};

/// What is printed of a network.
struct TopologyOutput {
    const Topology& topology;
    std::optional<measures::HopLatency> latency;
    std::optional<RoutingFacts> routing;
    std::optional<measures::Measures> measured;

    /// Null where there is no routing.
    template <class Fact>
    static auto of_routing(Fact RoutingFacts::* fact)
    {
        return [fact](const TopologyOutput& output) {
            return output.routing ? std::optional((*output.routing).*fact) : std::nullopt;
        };
    }
    /// Null in a network in parts, or too large for pairs.
    template <class Get>
    static auto of_latency(Get get)
    {
        return [get](const TopologyOutput& output) {
            return output.latency ? std::optional(get(*output.latency)) : std::nullopt;
        };
    }
};

Fields<TopologyOutput> fields_of(const TopologyOutput*)
{
    using Output = TopologyOutput;
    const auto largest_degree = [](const Output& output) {
        std::size_t largest = 0;
        for (RouterId router = 0; router < output.topology.router_count(); ++router)
            largest = std::max(largest, output.topology.channels_from(router).size());
        return largest;
    };
    return {
        "topology",
        "A network and its properties.",
        {{"topology", "", "Name of the network.",
          [](const Output& output) { return output.topology.name(); }},
         {"processors", "", "Number of processors.",
          [](const Output& output) { return output.topology.processor_count(); }},
         {"routers", "", "Number of routers.",
          [](const Output& output) { return output.topology.router_count(); }},
         {"channels", "", "Number of channels between routers; a bidirectional link is two.",
          [](const Output& output) { return output.topology.channel_count(); }},
         {"largest_degree", "channels", "Most channels that leave a router.", largest_degree},
         {"maximum_hops", "hops", "Diameter: the longest shortest path between two processors.",
          Output::of_latency([](const measures::HopLatency& latency) {
              return static_cast<std::uint64_t>(latency.maximum);
          })},
         {"average_hops", "hops", "Mean over the ordered pairs of different processors.",
          Output::of_latency([](const measures::HopLatency& latency) { return latency.average; })},
         {"default_ports", "",
          "Default port model: messages that a processor sends, and receives, in a step.",
          [](const Output& output) { return to_string(output.topology.default_ports()); }},
         {"latencies", "", "Channel latencies in cycles, if they differ.",
          [](const Output& output) { return spread_of(output.topology, &Channel::latency_cycles); },
          Shown::if_any},
         {"widths", "", "Channel widths in bytes per cycle, if they differ.",
          [](const Output& output) { return spread_of(output.topology, &Channel::width_bytes); },
          Shown::if_any},
         {"routing", "", "Routing that was checked for deadlock.", Output::of_routing(&RoutingFacts::name)},
         {"paths", "", "Whether the paths have minimal latency or minimal hops.",
          Output::of_routing(&RoutingFacts::paths)},
         {"vc_classes", "", "Virtual channels that the routing needs.",
          Output::of_routing(&RoutingFacts::vc_classes)},
         {"deadlock_free", "", "Whether the routing is free of deadlock.",
          Output::of_routing(&RoutingFacts::deadlock_free)},
         {"cycle", "", "Channels that can wait for each other in a cycle; null without a cycle.",
          Output::of_routing(&RoutingFacts::cycle)},
         {"measures", "", "Measures of the network as a graph, with `--measure`.",
          [](const Output& output) { return output.measured; }}}};
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
        return measures::read_positions(topology, read_file(name), name);
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

TopologyOutput distances_in(const Topology& topology)
{
    TopologyOutput output{topology, {}, {}, {}};
    if (!is_too_large_for_pairs(size_of(topology))) {
        const measures::HopLatency latency = measures::hop_latency(measures::graph_of(topology));
        if (latency.unreachable_pairs == 0)
            output.latency = latency;
    }
    return output;
}

TopologyOutput describe_network(const Topology& topology, const Questions& questions)
{
    TopologyOutput output = distances_in(topology);
    if (!questions.routing.empty()) {
        const PathCost cost =
            topology.has_router_parts() ? HardwareConfig{}.path_cost_on(topology) : PathCost{};
        const Routing routing = make_routing(topology, questions.routing, questions.seed, cost);
        const DependencyCheck check = check_deadlock(topology, routing);
        output.routing = {
            routing.name, minimal_text(topology, routing), routing.vc_classes.count(), check.deadlock_free(),
            check.deadlock_free() ? std::nullopt : std::optional(describe(topology, check.cycle))};
    }
    if (questions.measures)
        output.measured = measures::measure(measures::graph_of(topology), *questions.measures);
    else
        require_connected(topology);
    return output;
}

/// What is printed of the kinds of networks.
struct KindRow {
    const TopologyKind& kind;
};
struct KindList {
    std::vector<KindRow> networks;
};

Fields<KindRow> fields_of(const KindRow*)
{
    return {"network kind",
            "A kind of network.",
            {{"specification", "", "Syntax of the specification.",
              [](const KindRow& row) { return fmt::format("{}{}", row.kind.name, row.kind.parameters); }},
             {"network", "", "Description of the network.",
              [](const KindRow& row) { return std::string(row.kind.help); }},
             {"example", "", "Example of a specification.",
              [](const KindRow& row) { return std::string(row.kind.example); }, Shown::in_files}}};
}

Fields<KindList> fields_of(const KindList*)
{
    return {"network kinds",
            "Networks that can be named by a specification.",
            {{"networks", "", "All kinds of networks.", [](const KindList& list) { return list.networks; },
              Shown::as_rows}}};
}

void print_kinds(const OptionValues& given)
{
    KindList list;
    for (const TopologyKind& kind : topology_kinds())
        list.networks.push_back({kind});
    print_result(list, given, [&] { print_text(std::cout, table_of("Networks", list.networks)); });
}

OptionTable options_of_topology()
{
    OptionTable options;
    options.add(option_table(
        "Network",
        {{"topology", name_value("SPEC"),
          "network: a specification (mesh:4x4) or a file; positional argument"},
         {"format", choice_value("FORMAT", network_formats()),
          "format of --output: json, graphml, dot, svg, png or pdf; default: by the file's extension"},
         {"output,o", written_value("FILE"), "write the network to this file; .svg, .png and .pdf draw it"},
         {"list", switch_value(), "list the network specifications"},
         {"routing", name_value("NAME"), "check whether this routing can deadlock: " + routing_help()},
         {"measure", switch_value(),
          "print latencies (with bounds, contention and faults), wire lengths, connectivity and bisection"},
         {"arrangement",
          text_value("NAME").parsed_by(given_arrangement),
          "placement of the routers for --measure: own (channel lengths, or positions in the drawing), "
          "backplane, centerplane or grid; default: own, if known",
          {"measure"}},
         {"bisection",
          text_value("PARTS", "halves").parsed_by(measures::parse_evenness),
          "balance of the bisection for --measure: halves, or 40% (at least 40 % of the processors in each "
          "part)",
          {"measure"}},
         {"positions",
          name_value("FILE"),
          "file with the placement for --measure: lines ROUTER X Y",
          {"measure"}}}));
    options.add(part_options());
    return options;
}

int run_topology(const OptionValues& given)
{
    const bool as_json = given.is_on("json");
    if (given.is_on("list")) {
        refuse_given(given, {"topology", "format", "output", "routing", "measure", "seed", "part"},
                     "not with --list");
        print_kinds(given);
        return all_is_well;
    }
    const Topology topology = with_parts_of(given, topology_from(given.text("topology")));
    const std::string format = network_format(given);
    const bool measures = given.is_on("measure");
    if (!measures && !given.has("routing"))
        refuse_given(given, {"seed"}, nothing_random);
    if (given.has("arrangement") && given.has("positions"))
        throw std::invalid_argument("give either --arrangement or --positions");
    const bool wants_facts = format.empty() || as_json || measures || given.has("routing");
    if (!format.empty() && !given.has("output") && wants_facts)
        throw std::invalid_argument("--format: with --json, --measure or --routing it needs an --output");
    // The facts first: if the routing is refused, nothing is to be written.
    const Questions questions = questions_of(topology, given);
    nlohmann::json facts = nlohmann::json::object();
    if (wants_facts)
        facts = run_alone("topology", [&] { return nlohmann::json(describe_network(topology, questions)); });
    if (!format.empty()) {
        const std::string text = in_network_format(topology, format);
        if (given.has("output"))
            write_file_atomically(given.text("output"), text);
        else
            std::cout << text;
        if (!wants_facts)
            return all_is_well;
    }
    const ResultDescription& kind = description_of<TopologyOutput>();
    if (as_json) {
        print_json(with_origin(kind, facts, given));
    } else {
        print_figures(kind, facts);
        for (const char* const spread : {"latencies", "widths"})
            if (facts.contains(spread)) {
                for (nlohmann::json& count : facts[spread])
                    if (spread == std::string_view("widths") && count.at("value") == 0)
                        count["value"] = "a flit";
                print_below(result_table(spread, description_of<ChannelCount>(), facts[spread]));
            }
    }
    const auto is_deadlock_free = facts.find("deadlock_free");
    const bool can_deadlock = is_deadlock_free != facts.end() && *is_deadlock_free == false;
    return can_deadlock ? check_failed : all_is_well;
}

} // namespace

nlohmann::ordered_json facts_of(const Topology& topology)
{
    return distances_in(topology);
}

Command topology_command()
{
    return {
        {.command = "topology",
         .summary = "describe, convert, draw or measure a network; check a routing for deadlock",
         .positional = "topology",
         .description = topology_description,
         .examples = {"nocturne topology --list", "nocturne topology torus:4x4 --routing auto",
                      "nocturne topology torus:4x4 --measure --arrangement backplane",
                      "nocturne topology clos:3,3,4 -o clos.svg",
                      "nocturne topology mesh:4x4 -o mesh.graphml", "nocturne topology mesh.graphml --json"},
         .alternative = "list",
         .renamed = {{"network", "topology"}}},
        options_of_topology,
        run_topology,
        {description_of<TopologyOutput>, description_of<KindList>}};
}

} // namespace nocturne::cli
