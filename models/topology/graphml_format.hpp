// GraphML files.
#pragma once

#include "models/topology/topology.hpp"

#include <string>
#include <string_view>

namespace nocturne {

/// Everything: routers and processors are nodes that differ in their attribute `kind`; attribute_names.hpp
/// has what else they, edges and the graph have.
std::string to_graphml(const Topology& topology);

/// Reads what to_graphml writes, and plain graphs from elsewhere: directed, or undirected with a channel in
/// each direction of an edge; with the attributes of attribute_names.hpp, others are remarked
/// (InputLog::remark()). The node attribute `processors` is the number of processors on a router; without it,
/// and without nodes of kind `processor`, each node is a router with one. Nodes are called by their attribute
/// `name`, or else by their identifier. Throws std::runtime_error, one line that begins with
/// `origin` and says what is wrong where.
Topology topology_from_graphml(std::string_view text, std::string_view origin);

} // namespace nocturne
