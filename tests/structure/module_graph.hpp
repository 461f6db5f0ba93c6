// The picture of the include rules.
#pragma once

#include "tests/structure/include_rules.hpp"

#include <string>
#include <vector>

namespace nocturne::structure {

/// The rules as a graph in Graphviz's language: a node for each room (two outlines: it may use SystemC), a
/// solid arrow from a room to one that it may include. A solid arrow that a path of others replaces is left
/// out. Where a path leads to a room that the room at its beginning must not include, a dotted arrow says so.
/// Every rule can be read off the graph.
std::string module_graph(const std::vector<Room>& rooms);

} // namespace nocturne::structure
