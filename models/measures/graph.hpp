// The value that the measures of a topology read: nodes, arcs and processors in compressed rows, quick to
// build from a list of links, so that a search can measure thousands of candidates in a second.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne::measures {

using NodeId = std::uint32_t;
using ArcId = std::uint32_t;

/// Stands for the opposite direction of an arc that has none.
inline constexpr ArcId no_arc = ~0u;

/// One direction of a link, or a one-way channel. Parallel arcs and self-loops may occur.
struct Arc {
    NodeId source;
    NodeId target;

    friend bool operator==(const Arc&, const Arc&) = default;
};

/// The nodes where a processor injects and from which it is ejected to: one and the same in a direct network.
struct Attachment {
    NodeId injection;
    NodeId ejection;

    friend bool operator==(const Attachment&, const Attachment&) = default;
};

/// What a graph is made of. Arcs and nodes are numbered from 0 in the order of the lists.
struct GraphParts {
    NodeId nodes = 0;
    std::vector<Arc> arcs = {};
    std::vector<ArcId> opposites = {}; ///< by arc, no_arc where there is none; empty: see match_opposites()
    std::vector<Attachment> processors = {};
    std::vector<double> lengths = {}; ///< of the wires, by arc, grid units; empty if they are not known
};

/// For each arc the other direction of its link: the k-th arc from u to v belongs to the k-th from v to u;
/// one that is left over, and a self-loop, has no_arc. Time O(arcs log arcs).
std::vector<ArcId> match_opposites(std::span<const Arc> arcs);

/// A directed multigraph with processors at its nodes. Building it takes time O(nodes + arcs), and the time
/// of match_opposites() if that is asked for.
class Graph {
public:
    Graph() : Graph(GraphParts{}) {}
    /// Throws std::invalid_argument if an arc, an opposite or a processor names what does not exist, or if a
    /// list by arc has another length than `arcs`.
    explicit Graph(GraphParts parts);

    NodeId node_count() const { return parts_.nodes; }
    ArcId arc_count() const { return static_cast<ArcId>(parts_.arcs.size()); }
    std::size_t processor_count() const { return parts_.processors.size(); }

    const Arc& arc(ArcId id) const { return parts_.arcs[id]; }
    std::span<const Arc> arcs() const { return parts_.arcs; }
    /// The other direction of the arc's link, or no_arc.
    ArcId opposite(ArcId id) const { return parts_.opposites[id]; }
    std::span<const ArcId> opposites() const { return parts_.opposites; }
    /// By arc, grid units; empty if they are not known.
    std::span<const double> lengths() const { return parts_.lengths; }
    std::span<const Attachment> processors() const { return parts_.processors; }

    /// Arcs out of (into) a node, ascending.
    std::span<const ArcId> arcs_from(NodeId node) const { return row(from_, out_begin_, node); }
    std::span<const ArcId> arcs_to(NodeId node) const { return row(to_, in_begin_, node); }
    /// Where the arcs of arcs_from() lead to, and those of arcs_to() come from, in the same order.
    std::span<const NodeId> successors(NodeId node) const { return row(successors_, out_begin_, node); }
    std::span<const NodeId> predecessors(NodeId node) const { return row(predecessors_, in_begin_, node); }

    /// How many processors inject into (are ejected to from) the node.
    std::uint32_t injecting(NodeId node) const { return injecting_[node]; }
    std::uint32_t ejected(NodeId node) const { return ejected_[node]; }
    /// Every processor injects where it is ejected to. False for unidirectional multistage networks.
    bool is_direct() const { return is_direct_; }
    /// Every arc has an opposite, self-loops aside: an undirected graph.
    bool is_bidirectional() const { return is_bidirectional_; }

private:
    template <typename Value>
    static std::span<const Value> row(const std::vector<Value>& values,
                                      const std::vector<std::uint32_t>& begin, NodeId node)
    {
        return {values.data() + begin[node], values.data() + begin[node + 1]};
    }
    void check() const;
    void build_rows();

    GraphParts parts_;
    std::vector<std::uint32_t> out_begin_; // by node, and the end behind the last
    std::vector<std::uint32_t> in_begin_;
    std::vector<ArcId> from_;
    std::vector<ArcId> to_;
    std::vector<NodeId> successors_;
    std::vector<NodeId> predecessors_;
    std::vector<std::uint32_t> injecting_;
    std::vector<std::uint32_t> ejected_;
    bool is_direct_ = true;
    bool is_bidirectional_ = true;
};

/// One processor at each of the nodes 0 .. nodes - 1.
std::vector<Attachment> one_processor_each(NodeId nodes);

/// A graph with one processor at each node, from its bidirectional links: link i is the arcs 2i, in the
/// direction given, and 2i + 1, back. Throws as Graph.
Graph graph_of_links(NodeId nodes, std::span<const Arc> links);

/// The same from one-way arcs, which keep their numbers. Throws as Graph.
Graph graph_of_arcs(NodeId nodes, std::span<const Arc> arcs);

/// Routers are nodes, channels arcs; the numbers stay. Lengths are known if any channel has one.
Graph graph_of(const Topology& topology);

/// One arc of each link, ascending: the half with the smaller number, or the only one of a one-way channel.
std::vector<ArcId> links_of(const Graph& graph);

/// What has failed: nodes with their processors and all their arcs, and single arcs.
struct GraphFaults {
    std::vector<NodeId> nodes = {};
    std::vector<ArcId> arcs = {};
};

/// The graph without what has failed. Nodes keep their numbers: a failed one stays behind without arcs and
/// without processors. Arcs and processors close up. Time O(nodes + arcs). Throws std::invalid_argument if a
/// node or an arc does not exist.
Graph without(const Graph& graph, const GraphFaults& faults);

} // namespace nocturne::measures
