// Chunks on trees, in time: which one a link carries next.
#pragma once

#include "schedules/problem/search_end.hpp"
#include "schedules/schedule/chunk_time.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

/// An edge of a tree: what the hop before brought to its source goes on over a path of links.
struct TreeHop {
    NodeId source;
    NodeId target;
    std::vector<LinkId> path;
    std::optional<std::uint32_t> before; ///< index in the same tree, less than its own; none at the root
};

struct ChunkTree {
    std::vector<TreeHop> hops;
    std::vector<ChunkId> chunks; ///< that take this tree, all of the same weight
};

/// A hop of one chunk.
struct HopStart {
    std::uint32_t tree;
    std::uint32_t hop;
    ChunkId chunk;
    double start; ///< cycle
    double end;
};

/// List scheduling: whenever links of a path fall idle, the path whose links have the most left to carry (odd
/// seeds: whose fullest link has) takes the chunk that has the longest way to go, times of links being those
/// of end_times(). `seed` decides between equals. In the order of starts; empty if the end comes first.
std::vector<HopStart> order_hops(const LinkNetwork& network, const std::vector<ChunkTree>& trees,
                                 const AlphaBeta& cost, std::uint64_t seed, const SearchEnd& end = {});

} // namespace nocturne
