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
    std::uint32_t runs = 8; ///< orders of the chunks that are tried, of which the best counts; in boxes one
    /// Edges that the flows for packing look at: what takes more is given up. 0 = no limit.
    std::uint64_t packing_work = 0;
    bool only_in_boxes = false; ///< trees of the whole network take long: nothing where there are no boxes
    SearchEnd end = {};         ///< before the first order is done: nothing
};

struct PackedTrees {
    Schedule schedule;    ///< under dependencies, valid
    double cycles;        ///< time_of() it
    double bound;         ///< in cycles: best_cut(), without latencies
    std::uint64_t rounds; ///< that the fullest link is given to: the bound in rounds, rounded up as a rule
    std::size_t trees;    ///< different ones
};

/// For collectives that spread chunks of weight 1 to all of a group (allgather, broadcast), and what these
/// are turned round (reduce-scatter, reduce): each chunk gets a spanning tree of its own, and the chunks
/// follow each other on links (hop_order.hpp). No link carries more than its share of `rounds`, so that with
/// many chunks the time comes near the bound.
///
/// Where the network is made of boxes (boxes_of()) with columns, one member of each box, that are one hop
/// from each other, a chunk goes to all of its root's column first, and from these over trees that are packed
/// in each box by itself. Where these take more rounds than the bound, and elsewhere, trees of the whole
/// network are packed too (packing.hpp), with switches and processors outside the group split off
/// (edge_splitting.hpp).
///
/// Nothing for other collectives, where some receiver cannot be reached, where switches have other bandwidth
/// in than out so that they cannot be split off, or where packing takes too much work or the end comes first.
std::optional<PackedTrees> spread_over_trees(const LinkNetwork& network, const Collective& collective,
                                             const PackedTreesConfig& config);

/// The same for what owes all contributions to several receivers (all-reduce): reduce-scatter and allgather
/// over trees of each of them, one after the other. `bound` and `rounds` are the sums of theirs.
std::optional<PackedTrees> all_reduce_over_trees(const LinkNetwork& network, const Collective& collective,
                                                 const PackedTreesConfig& config);

} // namespace nocturne
