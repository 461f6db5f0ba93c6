// All-reduce over packed spanning trees: nearly the best bandwidth, for many chunks.
#pragma once

#include "schedules/problem/search_end.hpp"
#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <optional>

namespace nocturne {

struct TreeConfig {
    std::uint64_t seed = 1;
    std::uint32_t passes = 8; ///< over all chunks, each of which looks for a better tree
    SearchEnd end = {};       ///< before all passes are done: nothing
};

/// Each chunk goes up a spanning tree of its own to the tree's centre, sums being made on the way, and down
/// again: every edge of the tree carries it once each way. The trees are chosen one by one so that the
/// fullest links are as empty as they can be. The chunks follow each other, in steps of one round (or of
/// what a chunk heavier than a link's units takes); with many, R/C comes near the load of the fullest link,
/// which on networks that look the same in all directions is at the bound of receptions (round_bounds.hpp).
///
/// Nothing if the end comes first, and unless the collective is an all-reduce of all processors, there are no
/// switches, every link has a partner the other way of the same bandwidth, and the network is connected.
std::optional<Schedule> all_reduce_by_trees(const LinkNetwork& network, const Collective& collective,
                                            const TreeConfig& config = {});

/// A schedule of the above without its barriers: a transfer waits for what comes to its source, and on links
/// for those before it.
Schedule trees_without_barriers(const Schedule& schedule);

} // namespace nocturne
