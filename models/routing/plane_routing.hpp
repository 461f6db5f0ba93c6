// Routing on planes: several networks on the same tiles, each with a routing of its own.
#pragma once

#include "models/routing/routing.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// Is the topology made of two planes or more? These are what the network calls so (Topology::planes()), or
/// else layers along the first dimension of its grid, with channels inside. All other channels lead from a
/// plane to a router that is on none, or from such a router to a plane, and no router there has both kinds
/// (the planes of a composition, composition.hpp).
bool has_planes(const Topology& topology);

/// The routers that are on no plane, where planes end at their tiles; none if there are no planes.
std::vector<RouterId> tile_routers(const Topology& topology);

/// Makes the routing called `name` for one plane. `first_router` is that of the plane in the whole.
using PlaneRouting =
    std::function<Routing(const Topology& plane, const std::string& name, RouterId first_router)>;

/// On each plane the routes of a routing that is made for this plane alone, as a network with a processor at
/// each router and the plane's own grid and groups. What joins planes and processors is
/// crossed in class 0. A processor that can enter several planes sends a message over that with the fewest
/// hops, of equal ones by a hash of source and destination. Deadlock-free if all routings are: no message
/// leaves one plane for another.
///
/// `names`: one for all planes, or one for each. The topology must outlive the routing. Throws
/// std::invalid_argument if there are no planes, for another number of names, a routing with more than one
/// route for a pair, and what `make` throws; the routing throws for a pair that no plane joins.
Routing plane_routing(const Topology& topology, std::span<const std::string> names, const PlaneRouting& make);

} // namespace nocturne
