// Dimension-order routing on meshes, tori and hypercubes.
#pragma once

#include "models/routing/routing.hpp"

namespace nocturne {

/// Travels one dimension after the other, the last one first: with coordinates written row, column this is XY
/// routing, along the row to the right column and then along the column; on a hypercube it is e-cube routing,
/// lowest bit first. In a torus the shorter way round is taken, the positive direction when both are equally
/// short. Of parallel channels the first is used, and channels that do not join neighbours of the grid are
/// ignored.
///
/// Deadlock-free with its one class of virtual channels on meshes and hypercubes; on tori with
/// with_datelines(). The topology must outlive the routing. Throws std::invalid_argument if the topology has
/// no grid() or misses a channel between two neighbours of the grid; the routing throws for a processor that
/// does not exist.
Routing dimension_order(const Topology& topology);

/// Has the topology a grid with all channels between neighbours, and only these? Then dimension order is
/// minimal: it is not in a folded hypercube, whose links across it ignores.
bool is_complete_grid(const Topology& topology);

} // namespace nocturne
