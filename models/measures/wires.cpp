#include "models/measures/wires.hpp"

#include "models/text/unknown_name.hpp"
#include "models/topology/plain_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace nocturne::measures {

namespace {

const std::vector<std::string> arrangement_names{"backplane", "centerplane", "grid"}; // as in Arrangement

/// `length_of(arc)` for one arc of each link.
template <typename LengthOf>
WireLengths sum_wires(const Graph& graph, LengthOf length_of)
{
    WireLengths wires;
    const std::vector<ArcId> links = links_of(graph);
    for (const ArcId id : links) {
        const double length = length_of(id);
        wires.maximum = std::max(wires.maximum, length);
        wires.total += length;
    }
    wires.mean = links.empty() ? 0 : wires.total / static_cast<double>(links.size());
    return wires;
}

NodeId smallest_square(NodeId nodes)
{
    NodeId side = 1;
    while (std::uint64_t{side} * side < nodes)
        ++side;
    return side;
}

} // namespace

Arrangement parse_arrangement(std::string_view text)
{
    return value_named("arrangement", text,
                       {Arrangement::backplane, Arrangement::centerplane, Arrangement::grid});
}

std::string_view to_string(Arrangement arrangement)
{
    return arrangement_names[static_cast<std::size_t>(arrangement)];
}

std::vector<Position> arrange(Arrangement arrangement, NodeId nodes, NodeId columns)
{
    if (columns == 0)
        columns = smallest_square(nodes);
    const auto place = [](NodeId x, NodeId y) { return Position{double(x), double(y)}; };
    std::vector<Position> positions;
    positions.reserve(nodes);
    for (NodeId node = 0; node < nodes; ++node)
        switch (arrangement) {
        case Arrangement::backplane:
            positions.push_back(place(node, 0));
            break;
        case Arrangement::centerplane:
            positions.push_back(place(node / 2, node % 2));
            break;
        case Arrangement::grid:
            positions.push_back(place(node % columns, node / columns));
            break;
        }
    return positions;
}

std::vector<Position> own_positions(const Topology& topology)
{
    std::vector<Position> positions;
    for (RouterId router = 0; router < topology.router_count(); ++router) {
        const std::optional<Position> place = topology.position(router);
        if (!place)
            throw std::invalid_argument(
                fmt::format("{}: router {} has no position", topology.name(), topology.router_name(router)));
        positions.push_back(*place);
    }
    return positions;
}

std::vector<Position> read_positions(const Topology& topology, const std::string& text,
                                     const std::string& origin)
{
    std::vector<std::optional<Position>> places(topology.router_count());
    PlainNumbers numbers(topology, "positions");
    const auto take = [&](const std::string& line) {
        std::istringstream words(line);
        std::string name, rest;
        if (!(words >> name) || name == "#")
            return;
        Position place{};
        if (!(words >> place.x >> place.y) || words >> rest)
            throw std::invalid_argument(fmt::format("'{}' is not ROUTER X Y", shortened(line)));
        const std::optional<RouterId> router = numbers.find_router(name);
        if (!router)
            throw std::invalid_argument(fmt::format("{} has no router {}", topology.name(), shortened(name)));
        if (places[*router])
            throw std::invalid_argument(fmt::format("router {} has a position already", shortened(name)));
        places[*router] = place;
    };
    std::istringstream lines(text);
    std::string line;
    for (unsigned number = 1; std::getline(lines, line); ++number)
        try {
            take(line);
        } catch (const std::invalid_argument& error) {
            throw std::runtime_error(fmt::format("{}:{}: {}", origin, number, error.what()));
        }
    std::vector<Position> positions;
    for (RouterId router = 0; router < topology.router_count(); ++router) {
        if (!places[router])
            throw std::runtime_error(fmt::format("{}: no position of router {} of {}", origin,
                                                 topology.router_name(router), topology.name()));
        positions.push_back(*places[router]);
    }
    return positions;
}

double manhattan_distance(const Position& a, const Position& b)
{
    return std::abs(a.x - b.x) + std::abs(a.y - b.y);
}

WireLengths wire_lengths(const Graph& graph, std::span<const Position> positions)
{
    if (positions.size() != graph.node_count())
        throw std::invalid_argument(
            fmt::format("wire lengths: {} positions for {} nodes", positions.size(), graph.node_count()));
    return sum_wires(graph, [&](ArcId id) {
        return manhattan_distance(positions[graph.arc(id).source], positions[graph.arc(id).target]);
    });
}

WireLengths wire_lengths(const Graph& graph)
{
    if (graph.lengths().empty() && graph.arc_count() > 0)
        throw std::invalid_argument("wire lengths: the channels have none");
    return sum_wires(graph, [&](ArcId id) {
        const ArcId back = graph.opposite(id);
        return std::max(graph.lengths()[id], back == no_arc ? 0 : graph.lengths()[back]);
    });
}

} // namespace nocturne::measures
