// Cheapest paths to one router where channels have prices.
#pragma once

#include "models/topology/path.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// Finds, for every router, the cheapest path from there to a destination; of equally cheap ones the
/// shortest. Works on layers of paths with 0, 1, 2, … hops (Bellman-Ford), so that hops can be limited.
/// Nothing is allocated after a few searches.
class ResidualPaths {
public:
    using Cost = std::uint32_t;

    struct Found {
        Cost cost;
        std::uint32_t hops;
    };

    /// The topology must outlive it.
    explicit ResidualPaths(const Topology& topology);

    /// Searches from `destination` backwards; prices[c] is what channel c costs. Paths that cost more than
    /// `most_cost` or have more than `most_hops` hops are not found. Takes channels x (hops of the longest
    /// path found) time at most.
    void search(RouterId destination, std::span<const Cost> prices, Cost most_cost, std::uint32_t most_hops);

    /// The best path of at most `most_hops` hops from `source` that the last search found.
    std::optional<Found> find(RouterId source, std::uint32_t most_hops) const;

    /// The channels of the path that find() returned for this source, in order. No router is on it twice:
    /// without the detour it would cost no more and have fewer hops.
    Path path(RouterId source, std::uint32_t hops) const;

private:
    /// The cheapest path of exactly so many hops, if it is cheaper than any with fewer hops.
    struct Label {
        std::uint64_t search = 0; ///< in which it was set
        Cost cost = 0;
        ChannelId first = no_channel; ///< hop; none at the destination
    };

    void add_layer();
    const Label* label(std::uint32_t hops, RouterId router) const;

    const Topology& topology_;
    std::uint64_t search_ = 0;
    std::uint32_t layers_ = 0;   ///< of the last search
    std::vector<Label> labels_;  ///< by hops and router
    std::vector<Label> best_;    ///< by router, over all layers so far
    std::vector<RouterId> open_; ///< routers with a label in the last layer
    std::vector<RouterId> next_open_;
};

} // namespace nocturne
