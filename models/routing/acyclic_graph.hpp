// A directed graph that refuses the edges which would close a cycle.
#pragma once

#include <cstdint>
#include <vector>

namespace nocturne {

/// Keeps a topological order of its vertices 0 .. n-1 and repairs it when an edge is added: Pearce and Kelly,
/// A dynamic topological sort algorithm for directed acyclic graphs, ACM JEA 11 (2006). An edge costs nothing
/// but its storage when it agrees with the order, otherwise a search among the vertices that the order puts
/// between its ends.
class AcyclicGraph {
public:
    using Vertex = std::uint32_t;

    explicit AcyclicGraph(std::size_t vertices);

    /// Adds the edge and returns true; returns false and leaves the graph as it was if the edge would close a
    /// cycle. An edge that is there already is added once more, to no effect. Both vertices must exist.
    bool insert(Vertex from, Vertex to);

    /// The place of a vertex in an order in which every edge leads to a later place.
    std::uint32_t place(Vertex vertex) const { return place_[vertex]; }

private:
    using Adjacency = std::vector<std::vector<Vertex>>;

    std::vector<Vertex> reach(const Adjacency& edges, Vertex start, std::uint32_t lowest,
                              std::uint32_t highest);

    Adjacency out_;
    Adjacency in_;
    std::vector<std::uint32_t> place_;
    std::vector<bool> seen_; ///< all false between calls
};

} // namespace nocturne
