// Randomized minimal routing on meshes: the routes of a pair spread over its rectangle, whatever is free.
#pragma once

#include "models/routing/routing.hpp"

#include <cstdint>

namespace nocturne {

/// `o1turn`: each message goes along the row first or along the column first, as a drawn bit says, and turns
/// once. XY is class 0 of virtual channels, YX class 1: each alone is dimension order, so that there is no
/// cycle. The highest load of a channel under any permutation is as low as any oblivious minimal routing on a
/// k x k mesh has it if k is even. (D. Seo, A. Ali, W.-T. Lim, N. Rafique and M. Thottethodi, Near-optimal
/// worst-case throughput routing for two-dimensional mesh networks, ISCA 2005.)
///
/// Same seed, same draws; copies of the routing share one generator. The topology must outlive the routing.
/// Throws std::invalid_argument unless the topology is a mesh of two dimensions whose links are all there.
Routing o1turn(const Topology& topology, std::uint64_t seed);

/// `romm`: each message goes by dimension order to a router that is drawn with equal probability from the box
/// between source and destination, both included, and from there by dimension order to its destination: a
/// minimal route. The first part is class 0 of virtual channels, the second class 1. (T. Nesson and S. L.
/// Johnsson, ROMM routing on mesh and torus networks, SPAA 1995, with two phases.) Any number of dimensions;
/// otherwise as o1turn().
Routing romm(const Topology& topology, std::uint64_t seed);

} // namespace nocturne
