// How evenly shortest paths use the nodes and links of a network.
#pragma once

#include "models/measures/graph.hpp"

#include <cstdint>
#include <vector>

namespace nocturne::measures {

/// How many paths there are through each node, the ends of a path among them, and over each arc.
struct PathCounts {
    std::vector<std::uint64_t> nodes;
    std::vector<std::uint64_t> arcs;
    std::uint64_t missing = 0; ///< ordered pairs of processors that no path joins
};

/// One shortest path for each ordered pair of processors at different nodes, the least used one, as Marden (A
/// Genetic Algorithm for Designing Parallel Processor Interconnection Networks), section 6.4, has them. The
/// paper leaves open what "least used" counts. Here it is the sum, over the arcs of a path, of the paths that
/// the same source already sends over them; a source takes its destinations in the order of a breadth-first
/// search. Of equal paths the one whose last link comes first at the destination wins, then the one before
/// it, and so on; at each node the links that were given from it come before those that were given towards it
/// (arc < opposite before arc > opposite), each kind in the order of their numbers.
///
/// So the choice, and with it the counts, depend on the order of the links where shortest paths are several.
/// With the links of a torus listed dimension by dimension the deviations are those that were printed.
///
/// Time O(nodes^2 * arcs) at worst; in practice that of visiting the nodes between each pair, 1 ms for 64
/// nodes with 4 links each, and 2.4 s for 1024.
PathCounts least_used_paths(const Graph& graph);

/// What least_used_paths() takes, in arcs that it looks at between a source and a destination, some 4 ns
/// each: found from four sources. It may end early with a number above `most`.
double path_steps(const Graph& graph, double most);

/// Standard deviations of the numbers of paths.
struct PathSpread {
    double node_deviation = 0; ///< over all nodes
    double link_deviation = 0; ///< over all arcs: the two directions of a link count on their own

    friend bool operator==(const PathSpread&, const PathSpread&) = default;
};

/// Sample deviations (the sum of squares is divided by count - 1), as print has them: a tree of 63 nodes has
/// 574.07 and 229.65, an 8x8 torus 0.00 and 2.83. Print is 16.00 for the links of a ring of 64 where this
/// rule has 16.06; the rings of 16 agree (4.06). Both are infinite if paths are missing, and 0 for a single
/// node or arc.
PathSpread path_spread(const PathCounts& counts);

/// Of least_used_paths().
PathSpread path_spread(const Graph& graph);

} // namespace nocturne::measures
