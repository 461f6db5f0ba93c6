// How many links or nodes must fail before a network falls apart.
#pragma once

#include "models/measures/graph.hpp"

namespace nocturne::measures {

/// The smallest number of links at a node, the minimum connectivity of Marden (A Genetic Algorithm for
/// Designing Parallel Processor Interconnection Networks), section 6.2; of arcs out or arcs in where links
/// are one-way. An upper bound on the edge connectivity of a network with a processor at each node. Over the
/// nodes with processors; in a network that injects and ejects at different nodes, arcs out where processors
/// inject and arcs in where they are ejected. 0 without processors. Time O(nodes).
unsigned smallest_degree(const Graph& graph);

/// The fewest links whose failure leaves some processor unable to reach another: the smallest maximum flow
/// between nodes of processors (Menger), over arcs of capacity 1. Where links are one-way, arcs. Flows from
/// the first node to each other one, and back unless the graph is undirected; between all pairs where
/// processors inject and are ejected at different nodes. Time O(nodes * degree * arcs) in practice. 0 if the
/// network is in parts already, or has processors at fewer than two nodes.
unsigned edge_connectivity(const Graph& graph);

/// The fewest nodes whose failure leaves some node where processors inject unable to reach another one from
/// which processors are ejected: as above, over nodes of capacity 1, from as many nodes with processors as
/// the result and one more (S. Even, An algorithm for determining whether the connectivity of a graph is at
/// least k, SIAM J. Comput. 4, 1975). Where each pair of nodes with processors is joined by an arc no failure
/// separates any, and the result is one less than these nodes, as is the convention for complete graphs. Time
/// O(connectivity * nodes * degree * arcs) in practice.
unsigned vertex_connectivity(const Graph& graph);

} // namespace nocturne::measures
