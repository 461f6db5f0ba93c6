// Wire lengths: where the nodes of a network stand, and how far its links reach.
#pragma once

#include "models/measures/graph.hpp"

#include <iosfwd>
#include <string_view>
#include <vector>

namespace nocturne::measures {

/// Where nodes stand that have no places of their own, in the order of their numbers (Marden, A Genetic
/// Algorithm for Designing Parallel Processor Interconnection Networks, section 5): on a backplane in one
/// line; on a centerplane in two parallel lines, one unit apart, nodes 2i and 2i + 1 opposite each other; on
/// a grid row by row. Neighbouring places are one unit apart.
enum class Arrangement { backplane, centerplane, grid };

/// `backplane`, `centerplane` or `grid`; throws std::invalid_argument for anything else.
Arrangement parse_arrangement(std::string_view text);
std::string_view to_string(Arrangement arrangement);

/// The places of nodes 0 .. nodes - 1. `columns` are those of a grid; 0 stands for the fewest that make it no
/// taller than wide.
std::vector<Position> arrange(Arrangement arrangement, NodeId nodes, NodeId columns = 0);

/// Where the routers of a topology stand in its drawings. Throws std::invalid_argument, naming a router, if
/// it has no place.
std::vector<Position> own_positions(const Topology& topology);

/// Places from a text of lines `ROUTER X Y`, routers as Topology::find_router() takes them; empty lines and
/// lines of which the first word is # are skipped. Throws std::runtime_error that begins with `origin` and
/// the number of the line if it is not of this form or its router does not exist or has a place already, and
/// if a router has none.
std::vector<Position> read_positions(const Topology& topology, const std::string& text,
                                     const std::string& origin);

/// Lengths in the units of the positions. A bidirectional link is one wire, and so is a one-way channel.
struct WireLengths {
    double maximum = 0;
    double total = 0;
    double mean = 0; ///< of a link; 0 without links

    friend bool operator==(const WireLengths&, const WireLengths&) = default;
};

/// |x_a - x_b| + |y_a - y_b|.
double manhattan_distance(const Position& a, const Position& b);

/// Manhattan distances between the ends of the links (section 5.1). Time O(arcs). Throws
/// std::invalid_argument unless there is a position for each node.
WireLengths wire_lengths(const Graph& graph, std::span<const Position> positions);

/// From the lengths that the graph has; a link has that of its longer direction. Throws std::invalid_argument
/// if they are not known.
WireLengths wire_lengths(const Graph& graph);

} // namespace nocturne::measures
