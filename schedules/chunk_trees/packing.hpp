// Trees that share links, and the hops that chunks take over them.
#pragma once

#include "schedules/chunk_trees/chunk_trees.hpp"
#include "schedules/chunk_trees/edge_splitting.hpp"
#include "schedules/chunk_trees/hop_order.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace nocturne {

/// So many equal trees.
struct TreeBatch {
    NodeId root;
    std::int64_t count;
    std::vector<std::uint32_t> edges; ///< each from a node that is in the tree by then to a new one
};

struct LinkPacking {
    std::vector<SplitEdge> edges;
    std::vector<TreeBatch> batches;
};

using TakesLink = std::function<bool(LinkId)>;

/// Trees over some of the links, each of which carries what it can in so many rounds. Nothing if there are
/// none, packing takes too much work, or the end comes first.
std::optional<LinkPacking> pack(
    const LinkNetwork& network, const SpreadToAll& spread, std::uint64_t rounds,
    const PackedTreesConfig& config, const TakesLink& takes = [](LinkId) { return true; });

/// The same in the fewest rounds in which everybody could receive everything, or in one more.
std::optional<LinkPacking> pack_in_few_rounds(const LinkNetwork& network, const SpreadToAll& spread,
                                              const PackedTreesConfig& config, const TakesLink& takes);

/// Edges end where chunks can be stored on their way, and nothing comes twice to such a node.
std::vector<TreeHop> hops_of(const TreeBatch& batch, const std::vector<SplitEdge>& edges,
                             const LinkNetwork& network);

} // namespace nocturne
