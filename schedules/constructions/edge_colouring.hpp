// Edge colouring of bipartite multigraphs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// An edge of a bipartite multigraph.
struct BipartiteEdge {
    std::uint32_t left;
    std::uint32_t right;
};

/// A colour for each edge, such that edges of one colour share no end, with as many colours as the largest
/// degree, which is the fewest (König 1916): edge by edge, where both ends lack different colours the path
/// that alternates between the two is swapped. Colours count from 0. Time O(edges x vertices) at worst, and
/// O(edges x colours / 64) if the given order is such that the lowest colour free at both ends always does.
std::vector<std::uint32_t> colour_edges(std::span<const BipartiteEdge> edges);

} // namespace nocturne
