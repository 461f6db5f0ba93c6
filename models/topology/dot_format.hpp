// Graphviz DOT files: written to be drawn as they are (`neato -n2 -Tsvg`, or `dot` where no places are
// known), and read.
#pragma once

#include "models/topology/drawing_marks.hpp"
#include "models/topology/topology.hpp"

#include <string>
#include <string_view>

namespace nocturne {

/// Larger networks are written without places and lines: the drawing would be illegible, and take
/// Graphviz very long.
inline constexpr std::size_t largest_drawing_routers = 1024;

/// Everything. Routers are circles, processors squares: in a multistage
/// network each twice, as a source at the left and as a sink at the right. A direct network without places
/// has double circles for routers with their processor instead. A link of two equal channels is one line
/// without arrowheads. With `marks` it is a drawing only: topology_from_dot() need not make the same network
/// of it. Throws std::invalid_argument if there are marks for another number of routers or channels.
std::string to_dot(const Topology& topology, const DrawingMarks& marks = {});

/// Reads what to_dot writes, and plain graphs from elsewhere (see parse_dot()): `digraph`, or `graph` with a
/// channel in each direction of an edge. The node attribute `processors` is the number of processors on a
/// router; without it, and without nodes of kind `processor`, each node is a router with one.
/// attribute_names.hpp has all attributes; others but those that Graphviz draws by are remarked
/// (InputLog::remark()). Vertices are named by their identifier and numbered
/// in its natural order (`n9` before `n10`). Throws std::runtime_error, one line that begins with `origin`
/// and says what is wrong where.
Topology topology_from_dot(std::string_view text, std::string_view origin);

} // namespace nocturne
