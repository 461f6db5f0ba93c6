// All minimal paths to one router, as what may come next at each router.
#pragma once

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

    /// Throws std::invalid_argument if there is a processor from which no path leads to the router.
    MinimalPaths(const Topology& topology, RouterId destination);

    RouterId destination() const { return destination_; }
    /// The routers on these paths, nearest first; the destination is the first.
    const std::vector<RouterId>& routers() const { return routers_; }
    /// The channels by which they go on from a router, in the order of its ports: none at the destination.
    Channels channels(RouterId at) const;

private:
    const Topology* topology_;
    RouterId destination_;
    std::vector<std::uint32_t> distance_;
    std::vector<RouterId> routers_;
};

/// The routers from which processors are ejected, in ascending order.
std::vector<RouterId> ejection_routers(const Topology& topology);

} // namespace nocturne
