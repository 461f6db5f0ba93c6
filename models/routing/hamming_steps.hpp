// Steps along the dimensions of a grid whose lines are complete graphs: HyperX and flattened butterflies.
#pragma once

#include "models/topology/topology.hpp"

#include <span>
#include <utility>
#include <vector>

namespace nocturne {

/// Each two routers of a line are joined: a message is at its coordinate after one hop.
class HammingSteps {
public:
    /// Of a topology that is_hamming_graph().
    explicit HammingSteps(const Topology& topology);

    std::size_t dimensions() const { return strides_.size(); }
    unsigned coordinate(RouterId router, std::size_t d) const { return router / strides_[d] % extents_[d]; }
    /// All channels to the router that differs in this coordinate, which is `to`: one or more.
    std::span<const std::pair<RouterId, ChannelId>> channels(RouterId from, std::size_t d, unsigned to) const;

private:
    std::vector<unsigned> extents_;
    std::vector<RouterId> strides_;
    std::vector<std::vector<std::pair<RouterId, ChannelId>>> from_; ///< by router, in order of targets
};

/// Is each router of the grid joined to those that differ in one coordinate, and to no other? Only where that
/// is no mesh: a line of the grid has three routers or more. Time O(channels log channels).
bool is_hamming_graph(const Topology& topology);

} // namespace nocturne
