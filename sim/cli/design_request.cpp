#include "sim/cli/design_request.hpp"

#include "models/measures/wires.hpp"
#include "models/text/number.hpp"
#include "models/text/unknown_name.hpp"
#include "models/topology/files.hpp"
#include "schedules/design/step_terms.hpp"
#include "sim/cli/command.hpp"

#include <boost/algorithm/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace nocturne::cli {

namespace {

constexpr std::uint64_t most_nodes = 65'536;
constexpr std::uint64_t most_links = 1'024;
constexpr std::uint64_t most_processors = 1'024;

constexpr const char* positions_unknown = "where nodes stand is not known: say --arrangement or --positions";

struct StepTerm {
    std::string_view name;
    design::ExtraTerm (*make)(double weight, const design::Request& request);
};

constexpr StepTerm step_terms[]{{"scatter-steps", design::scatter_steps},
                                {"broadcast-steps", [](double weight, const design::Request&) {
                                     return design::broadcast_steps(weight);
                                 }}};

/// One number for all nodes, or one for each, separated by commas.
template <std::uint64_t most>
std::vector<unsigned> numbers_up_to(const std::string& text)
{
    std::vector<unsigned> numbers;
    for (const std::string& part : parts_of(text)) {
        const auto number = number_of<std::uint64_t>(part);
        if (!number || *number > most)
            throw std::invalid_argument(fmt::format(
                "expected a number from 0 to {}, or one for each node, separated by commas", most));
        numbers.push_back(static_cast<unsigned>(*number));
    }
    return numbers;
}

std::vector<Position> places_of(const OptionValues& given, design::NodeId nodes)
{
    if (given.has("arrangement") && given.has("positions"))
        throw std::invalid_argument("give either --arrangement or --positions");
    if (given.has("arrangement"))
        return measures::arrange(measures::parse_arrangement(given.text("arrangement")), nodes);
    if (!given.has("positions"))
        return {};
    const std::string name = given.text("positions");
    Topology places(fmt::format("a design of {} nodes", nodes));
    for (design::NodeId node = 0; node < nodes; ++node)
        places.add_router();
    return measures::read_positions(places, read_file(name), name);
}

struct Weight {
    std::string name;
    double value;
};

/// `latency=2`, of the terms that there are.
Weight weight_of(const std::string& text)
{
    const auto equals = text.find('=');
    const auto number =
        equals == std::string::npos ? std::nullopt : number_of<double>(text.substr(equals + 1));
    if (!number)
        throw std::invalid_argument("expected NAME=NUMBER");
    const std::string name = text.substr(0, equals);
    std::vector<std::string> names;
    for (const design::WeightName& each : design::weight_names())
        names.emplace_back(each.name);
    for (const StepTerm& each : step_terms)
        names.emplace_back(each.name);
    if (std::ranges::find(names, name) == names.end())
        throw std::invalid_argument(unknown_name("term", name, names));
    return {name, *number};
}

void set_weight(design::Objective& objective, const Weight& weight, const design::Request& request)
{
    for (const design::WeightName& each : design::weight_names())
        if (each.name == weight.name)
            objective.*each.weight = weight.value;
    for (const StepTerm& each : step_terms)
        if (each.name == weight.name)
            objective.extra.push_back(each.make(weight.value, request));
}

/// NAME=W: the help of --weight, with its names.
std::string weight_help()
{
    std::string text = "weight of a term of the cost; default: average=1 maximum=1; repeatable. Names:";
    for (const design::WeightName& each : design::weight_names())
        text += fmt::format("\n  {}: {}", each.name, each.term);
    text += "\n  scatter-steps, broadcast-steps: lower bounds of the all-to-all collectives";
    return text;
}

} // namespace

OptionTable design_request_options()
{
    return option_table(
        "Network to design",
        {{"nodes", count_value("N", {0, most_nodes}),
          "number of routers, each with one processor; positional argument"},
         {"links", text_value("D", "4").parsed_by(numbers_up_to<most_links>),
          "links per node (degree): one number, or N numbers separated by commas"},
         {"processors", text_value("P").parsed_by(numbers_up_to<most_processors>),
          "processors per node: one number, or N numbers; default: 1"},
         {"one-way", switch_value(), "unidirectional links: D leave each node and D enter it"},
         {"parallel", switch_value(), "allow several links between two nodes"},
         {"symmetry", count_value(1, {1, most_nodes}),
          "order of the network's rotational symmetry; for large networks"},
         {"arrangement", text_value("NAME").parsed_by(measures::parse_arrangement),
          "placement of the nodes: backplane, centerplane or grid"},
         {"positions", name_value("FILE"), "file with the placement: lines NODE X Y"},
         {"longest-wire", real_value("L", above_zero), "longest link allowed, Manhattan distance"}});
}

design::Request design_request_of(const OptionValues& given)
{
    design::Request request;
    request.nodes = static_cast<design::NodeId>(given.count("nodes"));
    request.degrees = numbers_up_to<most_links>(given.text("links"));
    if (given.has("processors")) {
        request.processors = numbers_up_to<most_processors>(given.text("processors"));
        if (request.processors.size() == 1)
            request.processors.resize(request.nodes, request.processors.front());
    }
    request.kind = given.is_on("one-way") ? design::LinkKind::one_way : design::LinkKind::bidirectional;
    request.parallel =
        given.is_on("parallel") ? design::ParallelLinks::allowed : design::ParallelLinks::forbidden;
    request.symmetry = static_cast<unsigned>(given.count("symmetry"));
    request.positions = places_of(given, request.nodes);
    if (given.has("longest-wire")) {
        request.longest_wire = given.real("longest-wire");
        if (request.positions.empty())
            throw std::invalid_argument(fmt::format("--longest-wire: {}", positions_unknown));
    }
    design::check_request(request);
    return request;
}

OptionTable weight_options()
{
    return OptionTable().add({{"weight", texts_value("NAME=W").parsed_by(weight_of), weight_help()}});
}

design::Objective objective_of(const OptionValues& given, const design::Request& request)
{
    design::Objective objective;
    if (!given.has("weight"))
        return objective;
    objective.average_latency = objective.maximum_latency = 0;
    std::set<std::string> names;
    for (const std::string& text : given.texts("weight")) {
        const Weight weight = weight_of(text);
        if (!names.insert(weight.name).second)
            throw std::invalid_argument(fmt::format("--weight: {} twice", weight.name));
        set_weight(objective, weight, request);
    }
    if (objective.wire_total != 0 && request.positions.empty())
        throw std::invalid_argument(fmt::format("--weight wire: {}", positions_unknown));
    return objective;
}

} // namespace nocturne::cli
