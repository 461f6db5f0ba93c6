// Up*/down* routing.
#pragma once

#include "models/routing/path_cost.hpp"
#include "models/routing/routing.hpp"

#include <cstdint>

namespace nocturne {

/// Up*/down* on any connected topology of two-way links: every channel leads either up, towards the root of a
/// spanning order, or down, and a route never goes up after it went down. So dependencies follow one order of
/// the channels and the routing is deadlock-free with one class of virtual channels. (Schroeder et al.,
/// Autonet: a high-speed, self-configuring local area network using point-to-point links, IEEE JSAC 9(8),
/// 1991.)
///
/// The order is breadth-first from a central router: the least distance to the farthest of eight landmarks
/// that are far from each other, among these the highest degree, then the lowest index. Equal depths are
/// ordered by index. A route costs as little as any legal one (PathCost); among equally good ones a hash of
/// (source, destination) chooses at each hop.
///
/// One-way channels are used too, but then a legal path may be missing: asking for such a route throws
/// std::invalid_argument, as it does for a destination that cannot be reached or a processor that does not
/// exist. Tables are made when a destination is first asked for and kept as long as they stay below 256 MiB
/// (1024 routers need 8 MiB). The topology must outlive the routing and its copies, which share their tables:
/// not for use by several threads at once. Throws std::invalid_argument if the topology has no router.
Routing up_down(const Topology& topology, const PathCost& cost = {});

/// Random routing in fat trees and other trees with several roots: up to a nearest common ancestor, by a
/// random one of the links up that lead to one, and down from there. (Leiserson, Fat-trees: universal
/// networks for hardware-efficient supercomputing, IEEE Trans. Computers C-34(10), 1985; Dally and Towles,
/// Principles and Practices of Interconnection Networks, section 9.2.) All paths up and down of fewest hops,
/// whatever the latencies of their channels, are equally likely where routers of a level are alike.
/// Deadlock-free with one class of virtual channels.
///
/// Up is away from the processors: a router's level is its distance to the next one from which processors are
/// ejected. Same seed, same draws; copies of the routing share one generator. The topology must outlive the
/// routing. Throws std::invalid_argument if processors are injected elsewhere than ejected, links join
/// routers of one level or lead one way only, or two processors have no common ancestor; the routing throws
/// for a processor that does not exist. Tables as up_down().
Routing nearest_common_ancestor(const Topology& topology, std::uint64_t seed);

} // namespace nocturne
