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
#include <fstream>
#include <iostream>
#include <sstream>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

const char* const topology_description =
    "Describes a network, given by a specification (mesh:4x4) or a file (.json, .dot, "
    ".graphml, .anynet),\nwrites it in another format, draws it, measures it, or checks a "
    "routing on it for deadlock.\n";

nlohmann::ordered_json document(const Topology& topology)
{
    std::size_t largest_degree = 0;
    for (RouterId router = 0; router < topology.router_count(); ++router)
        largest_degree = std::max(largest_degree, topology.channels_from(router).size());
    const measures::HopLatency latency = measures::hop_latency(measures::graph_of(topology));
    nlohmann::ordered_json facts{{"topology", topology.name()},
                                 {"processors", topology.processor_count()},
                                 {"routers", topology.router_count()},
                                 {"channels", topology.channel_count()},
                                 {"largest_degree", largest_degree}};
    if (latency.unreachable_pairs == 0) {
        facts["diameter_hops"] = static_cast<std::uint64_t>(latency.maximum);
        facts["mean_distance_hops"] = latency.average;
    }
    facts["default_ports"] = to_string(topology.default_ports());
    return facts;
}

/// Where the routers stand, as --positions or --arrangement say; otherwise, and for `own`, the lengths of the
/// channels count (nothing is returned), or, if there are none, the places of the drawing where all routers
/// have one.
std::vector<Position> positions_of(const Topology& topology, const po::variables_map& map)
{
    if (map.count("positions") != 0) {
        const auto& name = map["positions"].as<std::string>();
        std::ifstream in(name);
        if (!in)
            throw std::runtime_error(fmt::format("--positions {}: cannot be read", name));
        return measures::read_positions(topology, in);
    }
    const std::string arrangement = map.count("arrangement") != 0 ? map["arrangement"].as<std::string>() : "";
    if (!arrangement.empty() && arrangement != "own") {
        const auto& grid = topology.grid();
        return measures::arrange(measures::parse_arrangement(arrangement),
                                 static_cast<measures::NodeId>(topology.router_count()),
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

measures::Measures measures_of(const Topology& topology, const po::variables_map& map)
{
    measures::MeasureOptions options{.positions = positions_of(topology, map)};
    options.faults.seed = options.bisection.seed = map["seed"].as<Count>().value;
    return measures::measure(measures::graph_of(topology), options);
}

/// What is printed of a network.
struct Description {
    nlohmann::ordered_json facts;
    std::string measures; ///< as a table; empty unless they were asked for
};

Description describe_network(const Topology& topology, const po::variables_map& map)
{
    Description description{document(topology), ""};
    nlohmann::ordered_json& facts = description.facts;
    if (map.count("routing") != 0) {
        const Routing routing =
            make_routing(topology, map["routing"].as<std::string>(), map["seed"].as<Count>().value);
        const DependencyCheck check = check_deadlock(topology, routing);
        facts["routing"] = routing.name;
        facts["vc_classes"] = routing.vc_classes;
        facts["deadlock_free"] = check.deadlock_free();
        if (!check.deadlock_free())
            facts["cycle"] = describe(topology, check.cycle);
    }
    if (map["measure"].as<bool>()) {
        const measures::Measures measured = measures_of(topology, map);
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

void print_kinds(const po::variables_map& map)
{
    if (map["json"].as<bool>()) {
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

} // namespace

int run_topology(const std::vector<std::string>& arguments)
{
    po::options_description options = common_options();
    po::options_description own("Network");
    own.add_options()("topology", po::value<std::string>()->value_name("SPEC"),
                      "the network: a specification (mesh:4x4) or a file; the argument without a name")(
        "format", po::value<std::string>()->value_name("FORMAT"),
        "write the network as json, graphml, dot, svg, png or pdf; left out: what the name of --output ends "
        "in")("output,o", po::value<std::string>()->value_name("FILE"),
              "to this file, not to standard output")("list", po::bool_switch(),
                                                      "list the kinds of networks")(
        "routing", po::value<std::string>()->value_name("NAME"),
        ("check whether this routing can deadlock: " + routing_help()).c_str())(
        "measure", po::bool_switch(),
        "latencies with bounds, under contention and with faults; wires, connectivity, bisection")(
        "arrangement", po::value<std::string>()->value_name("NAME"),
        "with --measure, where the routers stand: own (channel lengths, or the places in the drawing), "
        "backplane, centerplane or grid; left out: own, if it is known")(
        "positions", po::value<std::string>()->value_name("FILE"),
        "with --measure, where the routers stand: lines ROUTER X Y");
    options.add(own);
    const po::variables_map map = parse(
        {.command = "topology",
         .positional = "topology",
         .description = topology_description,
         .examples = {"nocturne topology --list", "nocturne topology torus:4x4 --routing auto",
                      "nocturne topology torus:4x4 --measure --arrangement backplane",
                      "nocturne topology clos:3,3,4 -o clos.svg",
                      "nocturne topology mesh:4x4 -o mesh.graphml", "nocturne topology mesh.graphml --json"},
         .alternative = "list",
         .renamed = {{"network", "topology"}}},
        arguments, options);
    if (map.count("help") != 0)
        return all_is_well;
    const bool as_json = map["json"].as<bool>();
    if (map["list"].as<bool>()) {
        print_kinds(map);
        return all_is_well;
    }
    const Topology topology = topology_from(map["topology"].as<std::string>());
    const std::string format = network_format(map);
    const bool measures = map["measure"].as<bool>();
    for (const char* const option : {"arrangement", "positions"})
        if (map.count(option) != 0 && !measures)
            throw std::invalid_argument(fmt::format("--{}: only with --measure", option));
    if (map.count("arrangement") != 0 && map.count("positions") != 0)
        throw std::invalid_argument("--arrangement and --positions: one of them");
    const bool wants_facts = format.empty() || as_json || measures || map.count("routing") != 0;
    if (!format.empty() && map.count("output") == 0 && wants_facts)
        throw std::invalid_argument("--format: with --json, --measure or --routing it needs an --output");
    // The facts first: if the routing is refused, nothing is to be written.
    nlohmann::ordered_json facts;
    std::string table;
    if (wants_facts) { // facts as text: a JSON value from a worker has its members in another order
        const nlohmann::json described = run_alone("topology", [&] {
            const Description description = describe_network(topology, map);
            return nlohmann::json{description.facts.dump(), description.measures};
        });
        facts = nlohmann::ordered_json::parse(described.at(0).get<std::string>());
        table = described.at(1).get<std::string>();
    }
    if (!format.empty()) {
        const std::string text = in_network_format(topology, format);
        if (map.count("output") != 0)
            write_file_atomically(map["output"].as<std::string>(), text);
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
                std::cout << fmt::format("{:<20} {}\n", key,
                                         value.is_string() ? value.get<std::string>() : value.dump());
        std::cout << (table.empty() ? "" : "\n") << table;
    }
    return facts.value("deadlock_free", true) ? all_is_well : check_failed;
}

} // namespace nocturne::cli
