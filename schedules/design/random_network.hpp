// Random exchanges of links, and random networks to start from.
#pragma once

#include "models/routing/random.hpp"
#include "schedules/design/half_edges.hpp"

#include <vector>

namespace nocturne::design {

/// A beginning and an ending for HalfEdges::rewire().
struct Exchange {
    HalfEdge beginning;
    HalfEdge ending;
};

/// Draws exchanges, of two kinds:
/// - One in four joins two ends drawn from all, such that the link is not too long.
/// - The others join a node to a neighbour of a neighbour: u-a and u-v-b become u-b and u-v-a. That changes
///   the distances of fewer pairs, so that it is kept more often late in a cooling (coolings of 96 nodes with
///   3 links and 10 million exchanges came to sums of hops of 39020 and 39050 with nine in ten of this kind,
///   and to 39068 and 39182 with none).
class ExchangeDraw {
public:
    /// Time and memory O(nodes^2) if there is a longest wire.
    explicit ExchangeDraw(const HalfEdges& network);

    Exchange operator()(const HalfEdges& network, SplitMix64& random) const;
    /// An ending for a new link from this beginning, which is the beginning itself if no node is near.
    HalfEdge ending_for(const HalfEdges& network, HalfEdge beginning, SplitMix64& random) const;

private:
    bool is_limited_;
    std::vector<std::vector<NodeId>> near_; ///< by node, if wires are limited: nodes that it can be linked to
};

/// Fills the network, which has no links, with random ones: every end gets a link where degrees, lengths and
/// symmetry let it (with wires that are short some ends may stay empty). It need not be connected.
void link_at_random(HalfEdges& network, const ExchangeDraw& draw, SplitMix64& random);

} // namespace nocturne::design
