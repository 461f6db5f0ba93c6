// Table routing over minimal paths.
#pragma once

#include "models/routing/destination_tables.hpp"
#include "models/routing/path_cost.hpp"
#include "models/routing/routing.hpp"

#include <functional>
#include <string_view>

namespace nocturne {

/// A minimal path (PathCost) on any topology, one class of virtual channels: not deadlock-free by itself
/// (with_layers makes it so). Where several channels lead on minimally a hash of (source, destination) takes
/// one at each hop, so that the pairs spread over all minimal paths and a pair always takes the same one.
///
/// Distances to a destination are computed when it is first asked for, as distances_to() does, and kept as
/// long as all tables together stay below 256 MiB (1024 routers need 4 MiB). The topology must outlive the
/// routing and its copies, which share their tables: not for use by several threads at once. Throws
/// std::invalid_argument for a destination that cannot be reached or a processor that does not exist, when it
/// is asked for the route.
Routing shortest_path(const Topology& topology, const PathCost& cost = {});

/// May messages to that router take the channel?
using AllowedChannel = std::function<bool(const Channel&, RouterId destination)>;

/// What shortest_path() is made of: paths of least cost between routers, over allowed channels.
class ShortestPaths {
public:
    /// Nothing for `allowed`: all channels are. `routing` is its name in messages. Throws as shortest_path().
    ShortestPaths(const Topology& topology, const PathCost& cost, AllowedChannel allowed,
                  std::string_view routing);

    /// Between the routers of two processors. Throws as the routes of shortest_path() do.
    Route route(ProcessorId source, ProcessorId destination);
    /// From a router on; which of several as short ones is by `spread`. Only if there is one.
    Route route(RouterId from, RouterId to, Spread spread);
    bool has_route(RouterId from, RouterId to);

    using Channels = boost::container::small_vector<ChannelId, 16>;
    /// Every channel by which a path of least cost goes on to another router.
    void find_next(RouterId at, RouterId to, Channels& next);

private:
    const Topology* topology_;
    PathCost cost_;
    AllowedChannel allowed_;
    DestinationTables tables_;
};

} // namespace nocturne
