// The language of Graphviz.
#pragma once

#include "models/topology/graph_document.hpp"

#include <string_view>

namespace nocturne {

/// The first graph of a DOT file, as Graphviz reads it: subgraphs with and without names, also as ends of
/// edges, ports, defaults by scope, `strict` and keys of edges, HTML strings, `+` between strings, comments.
/// Vertices in the order in which they appear; of subgraphs only what they make of vertices and edges.
/// Backslashes are left as they are, but for those before a quote or the end of a line. Throws
/// std::runtime_error, one line that begins with `origin` and the line number.
graph_document::Document parse_dot(std::string_view text, std::string_view origin);

} // namespace nocturne
