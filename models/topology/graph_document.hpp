// What Graphviz files, GraphML files and graphs of networkx have in common: vertices and edges with
// attributes that are text. Of use inside this module, and to the Python package.
//
// A vertex is a router unless its attribute `kind` says `processor` (it injects into and is ejected from the
// routers that it has edges to and from), `source` or `sink` (the two halves of a processor, joined by their
// name). The attribute `processors` of a router is the number of processors on it; `injects` and `ejects` are
// their names instead, as a JSON array. Where some vertex says its kind, or that it has processors, those
// that say nothing have none; otherwise they are routers with one processor each. The table of all attributes
// is attribute_names.hpp.
#pragma once

#include "models/topology/topology.hpp"

#include <cstddef>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne::graph_document {

using Attributes = std::map<std::string, std::string>;

struct GraphVertex {
    std::string id; ///< how the file calls it: its name where it has no attribute `name`
    Attributes attributes;
};

struct GraphEdge {
    std::size_t source; ///< index of a vertex
    std::size_t target;
    Attributes attributes;
};

struct Document {
    bool is_directed = true; ///< an edge of an undirected graph is a channel in both directions
    Attributes attributes;   ///< of the graph
    std::vector<GraphVertex> vertices;
    std::vector<GraphEdge> edges;
};

/// Routers first, then processors, each of kind `processor`; edges: injection and ejection, then channels.
Document document_of(const Topology& topology);

/// What a graph says of grid, groups and tag digits: nothing where there are none.
Attributes structure_of(const Topology& topology);

/// Throws std::runtime_error that begins with `origin` and names the vertex or edge. What is ignored is
/// remarked (InputLog::remark()).
Topology topology_of(const Document& document, std::string_view origin);

/// The same for a file, of which is remarked too what it leaves open; but no attributes of `passed_over`,
/// which belong to the kind of file.
Topology topology_of_file(const Document& document, std::string_view origin,
                          std::span<const std::string_view> passed_over = {});

} // namespace nocturne::graph_document
