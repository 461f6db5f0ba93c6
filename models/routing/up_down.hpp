// Up*/down* routing.
#pragma once

#include "models/routing/routing.hpp"

namespace nocturne {

/// Up*/down* on any connected topology of two-way links: every channel leads either up, towards the root of a
/// spanning order, or down, and a route never goes up after it went down. So dependencies follow one order of
/// the channels and the routing is deadlock-free with one class of virtual channels. (Schroeder et al.,
/// Autonet: a high-speed, self-configuring local area network using point-to-point links, IEEE JSAC 9(8),
/// 1991.)
///
/// The order is breadth-first from a central router: the least distance to the farthest of eight landmarks
/// that are far from each other, among these the highest degree, then the lowest index. Equal depths are
/// ordered by index. A route is as short as any legal one; among equally short ones a hash of (source,
/// destination) chooses at each hop.
///
/// One-way channels are used too, but then a legal path may be missing: asking for such a route throws
/// std::invalid_argument, as it does for a destination that cannot be reached or a processor that does not
/// exist. Tables are made when a destination is first asked for and kept as long as they stay below 256 MiB
/// (1024 routers need 8 MiB). The topology must outlive the routing and its copies, which share their tables:
/// not for use by several threads at once. Throws std::invalid_argument if the topology has no router.
Routing up_down(const Topology& topology);

} // namespace nocturne
