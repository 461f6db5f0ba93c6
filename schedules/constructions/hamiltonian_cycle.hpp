// Cycles through all of some routers.
#pragma once

#include "models/topology/topology.hpp"

#include <optional>
#include <vector>

namespace nocturne {

/// A cycle of channels through each of `routers` (three or more) once and through no other router. On a grid
/// of at least two dimensions, of which one has an even extent: back and forth through all but the first of
/// its rows, back along those first routers. Otherwise a backtracking search, to the neighbour with the
/// fewest ways on first (Warnsdorff's rule), which gives up after about a tenth of a second: nothing does not
/// prove that there is none.
std::optional<std::vector<RouterId>> find_hamiltonian_cycle(const Topology& topology,
                                                            const std::vector<RouterId>& routers);

} // namespace nocturne
