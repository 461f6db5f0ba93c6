// Dimension-order routing on meshes, tori and hypercubes.
#pragma once

#include "models/routing/grid_steps.hpp"
#include "models/routing/routing.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// Travels one dimension after the other, the last one first: with coordinates written row, column this is XY
/// routing, along the row to the right column and then along the column; on a hypercube it is e-cube routing,
/// lowest bit first. In a torus the shorter way round is taken, the positive direction when both are equally
/// short; in a dimension whose channels all lead one way, that way. Of parallel channels the first is used,
/// and channels that do not join neighbours of the grid are ignored; but where all routers of a line are
/// joined (is_hamming_graph(): HyperX, flattened butterflies) a message takes one hop in each dimension, and
/// the pairs spread over parallel channels.
///
/// Deadlock-free with its one class of virtual channels on meshes and hypercubes; on tori with
/// with_datelines(). The topology must outlive the routing. Throws std::invalid_argument if the topology has
/// no grid() or misses a channel between two neighbours of the grid; the routing throws for a processor that
/// does not exist.
Routing dimension_order(const Topology& topology);

/// dimension_order(), and if `half_way` is alternating named `dor_even`. Throws the same.
Routing dimension_order(const Topology& topology, HalfWay half_way);

/// dimension_order(), named `dor_random`: each message draws which way round it goes in each dimension in
/// which its destination is half a ring away, from a generator of its own that begins at `seed`. So a pair's
/// messages share several routes, and a permutation does not depend on which one a rule gives it; under
/// uniform traffic the channels carry the same on average, but not at each moment, as when alternating. (The
/// torus routing of BookSim2.) Throws the same.
Routing dimension_order(const Topology& topology, std::uint64_t seed);

/// The same with the dimensions in the order given, the one that is travelled first in front. Throws
/// std::invalid_argument unless each dimension of the grid is there once.
Routing dimension_order(const Topology& topology, std::vector<std::size_t> order);

/// Dimension order on grids of two dimensions, rows and columns: `xy` goes along the row first, as
/// dimension_order() does, `yx` along the column. Throws std::invalid_argument for another grid.
enum class PlaneOrder { xy, yx };
Routing plane_order(const Topology& topology, PlaneOrder order);

/// From a router that is not the destination (the second argument) to the next one. A message may begin to
/// follow it at any router: where it goes depends on nothing that was before.
using NextHop = std::function<Hop(RouterId at, RouterId destination)>;

/// The hops of dimension_order() with datelines that need no memory: a hop is in class 1 if the route crosses
/// the dateline of its ring, between the last router and the first, in a later hop, otherwise in class 0. So
/// class 1 ends before the dateline, and class 0 begins with it or does not meet it: deadlock-free on tori
/// too. Class 0 only on meshes and hypercubes. Throws as dimension_order() does.
NextHop dimension_order_hops(const Topology& topology);

} // namespace nocturne
