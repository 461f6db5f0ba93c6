// What is checked of every routing, by means that share nothing with the code under test but topology and
// path.
#pragma once

#include "models/routing/routing.hpp"
#include "models/topology/path.hpp"

#include <set>
#include <utility>
#include <vector>

namespace nocturne::test {

using VirtualChannel = std::pair<ChannelId, std::uint32_t>; ///< channel and class
using Dependencies = std::set<std::pair<VirtualChannel, VirtualChannel>>;

Path path_of(const Route& route);

/// Requires that the route of each pair joins the two, is the same when asked for again and visits no router
/// twice, and that vc_classes is the number of classes that are used.
void require_sound(const Topology& topology, const Routing& routing);

/// Requires that each route is as short as a path can be.
void require_minimal(const Topology& topology, const Routing& routing);

/// From each hop of the route to the next.
void insert_dependencies(Dependencies& dependencies, const Route& route);

/// From each hop to the next, over the routes of all pairs.
Dependencies dependencies_of(const Topology& topology, const Routing& routing);

bool has_cycle(const Dependencies& dependencies);

/// Requires that each edge of the cycle, the one that closes it included, is among the dependencies, and that
/// no vertex comes twice.
void require_cycle_of(const Dependencies& dependencies, const std::vector<Hop>& cycle);

/// Requires that check_deadlock says deadlock-free, and that it is true.
void require_deadlock_free(const Topology& topology, const Routing& routing);

/// Requires that check_deadlock reports a cycle, and a true one.
void require_deadlock(const Topology& topology, const Routing& routing);

} // namespace nocturne::test
