// Automorphisms of a coloured graph, by nauty.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace nocturne {

/// An undirected graph without loops whose vertices have colours; parallel edges count as one.
struct ColouredGraph {
    std::vector<std::uint32_t> colours; ///< by vertex
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;

    std::uint32_t add_vertex(std::uint32_t colour)
    {
        colours.push_back(colour);
        return static_cast<std::uint32_t>(colours.size() - 1);
    }
};

/// The group of all permutations of the vertices that keep edges and colours.
struct AutomorphismGroup {
    std::vector<std::vector<std::uint32_t>> generators; ///< images of the vertices; none if only the identity
    double order = 1;                                   ///< exact up to 2^53
};

/// McKay and Piperno, Practical graph isomorphism II, Journal of Symbolic Computation 60, 2014. The same
/// graph gives the same generators. Exponential time on graphs made to be hard; a few thousand vertices of a
/// network take milliseconds.
AutomorphismGroup find_automorphisms(const ColouredGraph& graph);

/// The same words for two graphs exactly if a permutation of the vertices, which keeps colours, makes the
/// edges of one those of the other: vertices, colours in ascending order, and the edges of nauty's canonical
/// graph. Time as find_automorphisms().
std::vector<std::uint32_t> canonical_form(const ColouredGraph& graph);

} // namespace nocturne
