// Spanning out-trees that share the edges of a network.
#pragma once

#include "schedules/chunk_trees/edge_splitting.hpp"
#include "schedules/problem/search_end.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

/// So many equal trees.
struct TreeBatch {
    NodeId root;
    std::int64_t count;
    std::vector<std::uint32_t> edges; ///< each from a node that is in the tree by then to a new one
};

/// For each chunk a tree from where it is to all terminals, each edge in as many trees as it has capacity at
/// most: Edmonds's branchings (Edge-disjoint branchings, 1973), with capacities and in batches as in Bérczi
/// and Frank (Packing arborescences, 2010) and ForestColl (section 5). Batches grow by an edge in turn, for
/// as many of their trees as leave every set of nodes with as many edges into it as trees that have yet to
/// reach it. Of the edges that do, the one with which the new node is reached first by `cycles` (an edge's
/// time for a chunk) is taken. Each takes a maximum flow. Nothing if there are no such trees, if the flows
/// would look at more than `work` edges (0 = no limit), or if the end comes first.
std::optional<std::vector<TreeBatch>> pack_trees(std::vector<SplitEdge> edges,
                                                 const std::vector<double>& cycles, const SpreadToAll& spread,
                                                 std::uint64_t work, const SearchEnd& end);

} // namespace nocturne
