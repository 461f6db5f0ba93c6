#include "models/routing/deadlock.hpp"
#include "models/routing/distances.hpp"
#include "models/routing/make_routing.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/dot_format.hpp"
#include "models/topology/drawing.hpp"
#include "models/topology/files.hpp"
#include "models/topology/graphml_format.hpp"
#include "models/topology/json_format.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/topology_files.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/single_job.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <optional>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

const char* const topology_description =
    "Describes a network, given by a specification (mesh:4x4) or a file (.json, .dot, "
    ".graphml, .anynet),\nwrites it in another format, draws it, or checks a routing on it "
    "for deadlock.\n";

/// What there is to say of a network in numbers; distances are hops between processors' routers, sources with
/// themselves left out.
struct Summary {
    std::size_t largest_degree = 0;
    unsigned diameter = 0;
    double mean_distance = 0;
};

Summary summarize(const Topology& topology)
{
    Summary summary;
    for (RouterId router = 0; router < topology.router_count(); ++router)
        summary.largest_degree = std::max(summary.largest_degree, topology.channels_from(router).size());
    std::uint64_t sum = 0;
    std::uint64_t pairs = 0;
    for (ProcessorId source = 0; source < topology.processor_count(); ++source) {
        const auto distance = distances_from(topology, topology.processor(source).injection);
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
            const auto hops = distance[topology.processor(destination).ejection];
            if (source == destination)
                continue;
            if (hops == unreachable)
                throw std::runtime_error(fmt::format("{}: processor {} cannot be reached from {}",
                                                     topology.name(), topology.processor(destination).name,
                                                     topology.processor(source).name));
            summary.diameter = std::max(summary.diameter, static_cast<unsigned>(hops));
            sum += hops;
            ++pairs;
        }
    }
    summary.mean_distance = pairs == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(pairs);
    return summary;
}

nlohmann::ordered_json document(const Topology& topology)
{
    const Summary summary = summarize(topology);
    return {{"topology", topology.name()},
            {"processors", topology.processor_count()},
            {"routers", topology.router_count()},
            {"channels", topology.channel_count()},
            {"largest_degree", summary.largest_degree},
            {"diameter_hops", summary.diameter},
            {"mean_distance_hops", summary.mean_distance},
            {"default_ports", to_string(topology.default_ports())}};
}

nlohmann::ordered_json facts_of(const Topology& topology, const po::variables_map& map)
{
    nlohmann::ordered_json facts = document(topology);
    if (map.count("routing") == 0)
        return facts;
    const Routing routing =
        make_routing(topology, map["routing"].as<std::string>(), map["seed"].as<Count>().value);
    const DependencyCheck check = check_deadlock(topology, routing);
    facts["routing"] = routing.name;
    facts["vc_classes"] = routing.vc_classes;
    facts["deadlock_free"] = check.deadlock_free();
    if (!check.deadlock_free())
        facts["cycle"] = describe(topology, check.cycle);
    return facts;
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

std::string in_format(const Topology& topology, const std::string& format)
{
    if (format == "json")
        return to_json(topology);
    if (format == "graphml")
        return to_graphml(topology);
    return draw_topology(topology, format);
}

const std::vector<std::string> formats{"json", "graphml", "dot", "svg", "png", "pdf"};

/// The format asked for, or that of the output file's name; empty if the network is not to be written.
std::string format_of(const po::variables_map& map)
{
    if (map.count("format") != 0) {
        const auto& format = map["format"].as<std::string>();
        if (std::find(formats.begin(), formats.end(), format) == formats.end())
            throw std::invalid_argument(
                fmt::format("--format {}: {}", shortened(format), unknown_name("format", format, formats)));
        return format;
    }
    if (map.count("output") == 0)
        return {};
    const std::filesystem::path output(map["output"].as<std::string>());
    const std::string extension = output.extension().string();
    if (extension.size() < 2 ||
        std::find(formats.begin(), formats.end(), extension.substr(1)) == formats.end())
        throw std::invalid_argument(
            fmt::format("--output {}: its name does not end in a format ({}): say --format", output.string(),
                        fmt::join(formats, ", ")));
    return extension.substr(1);
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
        ("check whether this routing can deadlock: " + routing_help()).c_str());
    options.add(own);
    const po::variables_map map = parse(
        {.command = "topology",
         .positional = "topology",
         .description = topology_description,
         .examples = {"nocturne topology --list", "nocturne topology torus:4x4 --routing auto",
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
    const std::string format = format_of(map);
    const bool wants_facts = format.empty() || as_json || map.count("routing") != 0;
    if (!format.empty() && map.count("output") == 0 && wants_facts)
        throw std::invalid_argument("--format: with --json or --routing it needs an --output");
    // The facts first: if the routing is refused, nothing is to be written.
    nlohmann::ordered_json facts;
    if (wants_facts) // as text: a JSON value from a worker has its members in another order
        facts = nlohmann::ordered_json::parse(run_alone("topology", [&] {
                                                  return nlohmann::json(facts_of(topology, map).dump());
                                              }).get<std::string>());
    if (!format.empty()) {
        const std::string text = in_format(topology, format);
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
            std::cout << fmt::format("{:<20} {}\n", key,
                                     value.is_string() ? value.get<std::string>() : value.dump());
    }
    return facts.value("deadlock_free", true) ? all_is_well : check_failed;
}

} // namespace nocturne::cli
