// Table routing over minimal paths.
#pragma once

#include "models/routing/path_cost.hpp"
#include "models/routing/routing.hpp"

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

} // namespace nocturne
