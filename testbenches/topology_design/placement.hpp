// Can a network be built with short wires?
#pragma once

#include "models/measures/graph.hpp"

#include <span>

namespace nocturne::topology_design {

/// Can the nodes be put at different places so that no link is longer than `longest`, Manhattan distance? By
/// search with backtracking, which comes to an end for the networks of up to 16 nodes that are asked about.
/// False if there are fewer places than nodes.
bool can_be_placed(const measures::Graph& graph, std::span<const Position> places, double longest);

} // namespace nocturne::topology_design
