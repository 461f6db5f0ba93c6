// Seeded random graphs for property tests, and what is simple enough to be right about them.
#pragma once

#include "models/measures/graph.hpp"

#include <cstdint>
#include <vector>

namespace nocturne::test {

/// `links` bidirectional links between random nodes, which need not connect them: parallel links occur.
measures::Graph random_links(std::uint64_t seed, measures::NodeId nodes, unsigned links);

/// `arcs` one-way arcs between random nodes, self-loops among them.
measures::Graph random_arcs(std::uint64_t seed, measures::NodeId nodes, unsigned arcs);

/// The same graph, its nodes renumbered at random.
measures::Graph renumbered(std::uint64_t seed, const measures::Graph& graph);

/// Fewest hops from node to node by the recurrence of Floyd and Warshall; `unjoined` where there is no path.
std::vector<std::vector<unsigned>> all_distances(const measures::Graph& graph);
inline constexpr unsigned unjoined = 1'000'000;

/// The network of a specification as a graph.
measures::Graph graph_from(const char* spec);

} // namespace nocturne::test
