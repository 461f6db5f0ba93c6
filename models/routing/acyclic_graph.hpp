// A directed graph that refuses the edges which would close a cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace nocturne {

/// Keeps its vertices 0 .. n-1 in a topological order, which is repaired when an edge is added: the ordered
/// two-way search of Haeupler, Kavitha, Mathew, Sen and Tarjan, Incremental cycle detection, topological
/// ordering, and strong component maintenance, ACM Trans. Algorithms 8(1), 2012, section 4. An edge that
/// agrees with the order costs nothing but its storage. Any other is looked for from both ends at once, edge
/// by edge, until the two searches meet, which is a cycle, or pass each other: m edges take
/// O(m^(3/2) log n) together, those aside that are refused.
class AcyclicGraph {
public:
    using Vertex = std::uint32_t;

    /// Looks for a cycle along at most `effort` pairs of edges for each edge that is added.
    explicit AcyclicGraph(std::size_t vertices, std::size_t effort = std::numeric_limits<std::size_t>::max());

    /// Adds the edge and returns true; returns false and leaves the graph as it was if the edge would close a
    /// cycle, or if the search has not found within its effort that it closes none. An edge that is there
    /// already is added once more, to no effect. Both vertices must exist.
    bool insert(Vertex from, Vertex to);

    /// The place of a vertex in an order in which every edge leads to a later place. Places have gaps, and
    /// insert() moves them.
    std::uint64_t place(Vertex vertex) const { return place_[vertex]; }

private:
    using Adjacency = std::vector<std::vector<Vertex>>;
    using Place = std::uint64_t;

    enum class Mark : std::uint8_t { none, forward, backward };

    /// One of the two searches.
    struct Search {
        Mark mark;
        Place flip;         ///< exclusive-or with this makes the places that it comes to first the lowest
        Place farthest = 0; ///< so turned: behind it there is nothing to be found
        std::vector<Vertex> found = {};
        /// Those with edges that have not been followed: a heap, the vertex that was found nearest first.
        std::vector<std::pair<Place, Vertex>> live = {};
    };

    void find(Search& search, const Adjacency& edges, Vertex vertex);
    bool follow_one(Search& search, const Adjacency& edges);
    bool may_searches_meet(Vertex from, Vertex to);
    void repair_order(Vertex from);
    std::vector<Vertex> take_out(const Search& search, Place from);
    void put_behind(Vertex anchor, const std::vector<Vertex>& moved);
    void spread_places();
    Place place_after(Vertex vertex) const;
    Vertex ends() const { return static_cast<Vertex>(out_.size()); }

    std::size_t effort_;
    Adjacency out_;
    Adjacency in_;
    // The order is a ring, closed by one vertex more, ends().
    std::vector<Vertex> before_;
    std::vector<Vertex> behind_;
    std::vector<Place> place_;

    Search forward_{Mark::forward, 0};
    Search backward_{Mark::backward, ~Place{0}};
    std::vector<Mark> mark_;              ///< by vertex; none between calls
    std::vector<std::uint32_t> followed_; ///< by vertex that has been found: its edges
};

} // namespace nocturne
