// Dragonflies: groups of routers that are complete graphs, and a complete graph of the groups.
#pragma once

#include "models/topology/topology.hpp"

#include <span>

namespace nocturne {

/// `dragonfly:p,a,h[,g]`: g groups of a routers with p processors and h global links each (Kim, Dally, Scott
/// and Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008). Within a group each router is
/// linked to each other one; g is a*h + 1 unless it is given, the most for which one link joins each pair of
/// groups, so that the diameter is 3.
///
/// Global links are arranged as in BookSim2 (often called the absolute arrangement): link k of a group, 0 to
/// a*h - 1, is at its router k / h and leads to group k, from group k on to group k + 1. With fewer groups
/// each pair is joined by m = a*h / (g-1) links, rounded down: link j*(g-1) + k is the j-th to that group;
/// what is left over is not used.
///
/// Router r is router r % a of group r / a (Topology::routers_per_group()), its name `g2r0`. With p = 1 the
/// network is all-port, otherwise one-port. Throws std::invalid_argument unless p, a and h are at least 1, g
/// is 2 to a*h + 1, and the network is small enough.
Topology make_dragonfly(std::span<const unsigned> sizes);

/// Processors of such a network, as TopologyKind::processors has them.
std::uint64_t dragonfly_processors(std::span<const unsigned> sizes);

} // namespace nocturne
