// Schedules over packed spanning trees: the bandwidth of the best cut, for any capacities.
#pragma once

#include "schedules/problem/search_end.hpp"
#include "schedules/schedule/chunk_time.hpp"

#include <cstdint>
#include <optional>

namespace nocturne {

struct PackedTreesConfig {
    AlphaBeta cost;
    std::uint64_t seed = 1;
    std::uint32_t runs = 8; ///< orders of the chunks that are tried, of which the best counts
    /// Edges that the flows for packing look at: what takes more is given up. 0 = no limit.
    std::uint64_t packing_work = 0;
    SearchEnd end = {}; ///< before the first order is done: nothing
};

struct PackedTrees {
    Schedule schedule;    ///< under dependencies, valid
    double cycles;        ///< time_of() it
    double bound;         ///< in cycles: best_cut(), without latencies
    std::uint64_t rounds; ///< that the fullest link is given to: the bound in rounds, rounded up as a rule
    std::size_t trees;    ///< different ones
};

/// For collectives that spread chunks of weight 1 to all of a group (allgather, broadcast), and what these
/// are turned round (reduce-scatter, reduce): switches and processors outside the group are split off
/// (edge_splitting.hpp), each chunk gets a spanning tree of its own (tree_packing.hpp), and the chunks follow
/// each other on links (hop_order.hpp). No link carries more than its share of `rounds`, so that with many
/// chunks the time comes near the bound.
///
/// Nothing for other collectives, where some receiver cannot be reached, where switches have other bandwidth
/// in than out so that they cannot be split off, or where packing takes too much work or the end comes first.
std::optional<PackedTrees> spread_over_trees(const LinkNetwork& network, const Collective& collective,
                                             const PackedTreesConfig& config);

} // namespace nocturne
