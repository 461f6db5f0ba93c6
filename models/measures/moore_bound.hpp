// How short the paths of any network with so many nodes and links can be.
#pragma once

#include <cstdint>

namespace nocturne::measures {

/// Links that carry messages in both directions, or in one.
enum class LinkKind { bidirectional, one_way };

/// What no network has less of; hops, as in HopLatency.
struct LatencyBound {
    double average_with_self = 0;
    double average = 0;
    double maximum = 0;

    friend bool operator==(const LatencyBound&, const LatencyBound&) = default;
};

/// From each node at most d nodes are one hop away, and at most d (d - 1)^(k-1) are k hops away, d^k where
/// links are one-way: the paths would be shortest in a tree of which all levels but the last are full. The
/// number of its levels bounds the maximum (E. F. Moore; A. J. Hoffman and R. R. Singleton, On Moore graphs
/// with diameters 2 and 3, IBM J. Res. Dev. 4, 1960), the mean depth of its nodes the average (V. G. Cerf, D.
/// D. Cowan, R. C. Mullin, R. G. Stanton, A lower bound on the average shortest path length in regular
/// graphs, Networks 4, 1974). One processor at each node; d is the largest number of links at a node, or,
/// where they are one-way, out of a node. Infinite where so few links cannot join the nodes, 0 for fewer than
/// two nodes. Time O(maximum).
LatencyBound moore_bound(std::uint64_t nodes, std::uint64_t degree, LinkKind kind = LinkKind::bidirectional);

} // namespace nocturne::measures
