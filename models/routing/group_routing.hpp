// Routing between the groups of a network, such as a dragonfly.
#pragma once

#include "models/routing/path_cost.hpp"
#include "models/routing/routing.hpp"

#include <cstdint>

namespace nocturne {

/// `lgl`, minimal routing of networks of groups (Topology::routers_per_group()): within the group to a router
/// with a global channel, one that joins groups, to the destination's group, over that, and within the group
/// to the destination (local, global, local). Among such paths it takes one of least cost, a pair always the
/// same, as shortest_path() does; a path over a third group is none, even where it has fewer hops.
///
/// The class of virtual channels is 1 from the global channel on, 0 before it: without deadlock where groups
/// are complete graphs. (J. Kim, W. J. Dally, S. Scott, D. Abts, Technology-driven, highly-scalable dragonfly
/// topology, ISCA 2008; class by class as BookSim2's min_dragonflynew.) Tables are those of shortest_path().
/// The topology must outlive the routing. Throws std::invalid_argument if the network has no groups, and when
/// it is asked for the route of a pair whose groups no channel joins.
Routing group_minimal(const Topology& topology, const PathCost& cost = {});

/// `valiant:lgl`: a message to another group draws a router of the network with `seed`. If that is in a third
/// group the message takes group_minimal()'s way there, as far as the group's first router, and from there
/// that to its destination; otherwise it goes minimally. The class is the number of global channels so far,
/// on minimal ways one more: three. Throws as group_minimal(), and as valiant().
Routing group_valiant(const Topology& topology, std::uint64_t seed, const PathCost& cost = {});

/// `ugal:lgl` and `ugal_global:lgl`: ugal() between the two.
Routing group_ugal(const Topology& topology, std::uint64_t seed, const PathCost& cost,
                   QueueKnowledge knowledge, unsigned threshold);

} // namespace nocturne
