#include "sim/cli/design_request.hpp"

#include "models/measures/wires.hpp"
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "schedules/design/step_terms.hpp"
#include "sim/cli/command.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

constexpr std::uint64_t most_nodes = 65'536;
constexpr std::uint64_t most_links = 1'024;
constexpr std::uint64_t most_processors = 1'024;

struct StepTerm {
    std::string_view name;
    design::ExtraTerm (*make)(double weight, const design::Request& request);
};

constexpr StepTerm step_terms[]{{"scatter-steps", design::scatter_steps},
                                {"broadcast-steps", [](double weight, const design::Request&) {
                                     return design::broadcast_steps(weight);
                                 }}};

/// One number for all nodes, or one for each, separated by commas.
std::vector<unsigned> numbers_by_node(const po::variables_map& map, const char* option, std::uint64_t most)
{
    std::vector<std::string> parts;
    boost::split(parts, map[option].as<std::string>(), [](char c) { return c == ','; });
    std::vector<unsigned> numbers;
    for (const std::string& part : parts) {
        const auto number = number_of<std::uint64_t>(part);
        if (!number || *number > most)
            throw std::invalid_argument(fmt::format("--{} {}: a number from 0 to {}, or one for each node, "
                                                    "separated by commas",
                                                    option, shortened(part), most));
        numbers.push_back(static_cast<unsigned>(*number));
    }
    return numbers;
}

std::vector<Position> places_of(const po::variables_map& map, design::NodeId nodes)
{
    if (map.count("arrangement") != 0 && map.count("positions") != 0)
        throw std::invalid_argument("--arrangement and --positions: one of them");
    if (map.count("arrangement") != 0)
        return measures::arrange(measures::parse_arrangement(map["arrangement"].as<std::string>()), nodes);
    if (map.count("positions") == 0)
        return {};
    const auto& name = map["positions"].as<std::string>();
    std::ifstream in(name);
    if (!in)
        throw std::runtime_error(fmt::format("--positions {}: cannot be read", name));
    Topology places(name);
    for (design::NodeId node = 0; node < nodes; ++node)
        places.add_router();
    return measures::read_positions(places, in);
}

void set_weight(design::Objective& objective, const std::string& text, const design::Request& request)
{
    const auto equals = text.find('=');
    const auto number =
        equals == std::string::npos ? std::nullopt : number_of<double>(text.substr(equals + 1));
    if (!number)
        throw std::invalid_argument(fmt::format("--weight {}: expected NAME=NUMBER", shortened(text)));
    const std::string name = text.substr(0, equals);
    std::vector<std::string> names;
    for (const design::WeightName& each : design::weight_names()) {
        if (each.name == name) {
            objective.*each.weight = *number;
            return;
        }
        names.emplace_back(each.name);
    }
    for (const StepTerm& each : step_terms) {
        if (each.name == name) {
            objective.extra.push_back(each.make(*number, request));
            return;
        }
        names.emplace_back(each.name);
    }
    throw std::invalid_argument(fmt::format("--weight: {}", unknown_name("term", name, names)));
}

} // namespace

po::options_description design_request_options()
{
    po::options_description options("Network to design");
    options.add_options()("nodes", po::value<Count>()->value_name("N"),
                          "routers, with a processor each; the argument without a name")(
        "links", po::value<std::string>()->value_name("D")->default_value("4"),
        "links at each node: one number, or N of them, separated by commas")(
        "processors", po::value<std::string>()->value_name("P"),
        "processors at each node: one number, or N of them; left out: 1")(
        "one-way", po::bool_switch(), "links lead one way: D out of each node, and D into it")(
        "parallel", po::bool_switch(), "two nodes may have several links")(
        "symmetry", po::value<Count>()->value_name("S")->default_value(Count{1}),
        "the network looks the same after a turn by N/S nodes; for large ones")(
        "arrangement", po::value<std::string>()->value_name("NAME"),
        "where the nodes stand: backplane, centerplane or grid")(
        "positions", po::value<std::string>()->value_name("FILE"), "where the nodes stand: lines NODE X Y")(
        "longest-wire", po::value<double>()->value_name("L"), "no link is longer, Manhattan distance");
    return options;
}

design::Request design_request_of(const po::variables_map& map)
{
    design::Request request;
    request.nodes = static_cast<design::NodeId>(count_in_range(map, "nodes", 0, most_nodes));
    request.degrees = numbers_by_node(map, "links", most_links);
    if (map.count("processors") != 0) {
        request.processors = numbers_by_node(map, "processors", most_processors);
        if (request.processors.size() == 1)
            request.processors.resize(request.nodes, request.processors.front());
    }
    request.kind = map["one-way"].as<bool>() ? design::LinkKind::one_way : design::LinkKind::bidirectional;
    request.parallel =
        map["parallel"].as<bool>() ? design::ParallelLinks::allowed : design::ParallelLinks::forbidden;
    request.symmetry = static_cast<unsigned>(count_in_range(map, "symmetry", 1, most_nodes));
    request.positions = places_of(map, request.nodes);
    if (map.count("longest-wire") != 0) {
        request.longest_wire = map["longest-wire"].as<double>();
        if (request.positions.empty())
            throw std::invalid_argument(
                "--longest-wire: where nodes stand is not known: say --arrangement or "
                "--positions");
        if (!(request.longest_wire > 0))
            throw std::invalid_argument("--longest-wire: a length above 0");
    }
    design::check_request(request);
    return request;
}

std::string weight_help()
{
    std::string text = "NAME=W: what counts, and how much; may be said several times; left out: average=1 "
                       "maximum=1. Names:";
    for (const design::WeightName& each : design::weight_names())
        text += fmt::format("\n  {}: {}", each.name, each.term);
    text += "\n  scatter-steps, broadcast-steps: lower bounds of the all-to-all collectives";
    return text;
}

design::Objective objective_of(const po::variables_map& map, const design::Request& request)
{
    design::Objective objective;
    if (map.count("weight") == 0)
        return objective;
    objective.average_latency = objective.maximum_latency = 0;
    for (const std::string& text : map["weight"].as<std::vector<std::string>>())
        set_weight(objective, text, request);
    return objective;
}

} // namespace nocturne::cli
