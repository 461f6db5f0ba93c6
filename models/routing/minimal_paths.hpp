// All minimal paths to one router, as what may come next at each router.
#pragma once

#include "models/routing/path_cost.hpp"
#include "models/topology/topology.hpp"

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <vector>

namespace nocturne {

/// The minimal paths of the messages from all processors to one router. A value; the topology must outlive
/// it.
class MinimalPaths {
public:
    using Channels = boost::container::small_vector<ChannelId, 16>;

    /// Throws std::invalid_argument if there is a processor from which no path leads to the router, and as
    /// distances_to().
    MinimalPaths(const Topology& topology, RouterId destination, const PathCost& cost = {});

    RouterId destination() const { return destination_; }
    /// The routers on these paths, nearest first; the destination is the first.
    const std::vector<RouterId>& routers() const { return routers_; }
    /// The channels by which they go on from a router, in the order of its ports: none at the destination.
    Channels channels(RouterId at) const;

private:
    const Topology* topology_;
    RouterId destination_;
    PathCost cost_;
    std::vector<std::uint32_t> distance_;
    std::vector<RouterId> routers_;
};

/// The routers from which processors are ejected, in ascending order.
std::vector<RouterId> ejection_routers(const Topology& topology);

} // namespace nocturne
