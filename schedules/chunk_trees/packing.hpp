// Trees that share links, and the hops that chunks take over them.
#pragma once

#include "schedules/chunk_trees/chunk_trees.hpp"
#include "schedules/chunk_trees/edge_splitting.hpp"
#include "schedules/chunk_trees/hop_order.hpp"
#include "schedules/chunk_trees/tree_packing.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace nocturne {

struct LinkPacking {
    std::vector<SplitEdge> edges;
    std::vector<TreeBatch> batches;
};

using TakesLink = std::function<bool(LinkId)>;

/// Trees over some of the links, each of which carries what it can in so many rounds. Nothing if there are
/// none, or as pack_trees().
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
