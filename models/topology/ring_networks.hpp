// Small regular networks drawn on a circle. Routers are named by their index.
#pragma once

#include "models/topology/topology.hpp"

namespace nocturne {

/// `ring:N`: N >= 3 routers with a processor each, all-port.
/// These generators throw std::invalid_argument when a size is out of range or the network too large.
Topology make_ring(unsigned routers);

/// `octagon:N`: the Octagon (N = 8) and its larger relatives, N = 8, 12, 16, ...: a ring with a link from
/// each router to the opposite one (a Moebius ladder); a processor each, all-port (Karim, Nguyen and Dey
/// 2002).
Topology make_octagon(unsigned routers);

/// `fat_octagon:N`: the octagon of N routers with two processors each, 2r and 2r+1 on router r; one-port.
Topology make_fat_octagon(unsigned routers);

/// `spidergon:N`: a ring of N = 4, 6, 8, ... routers with a link from each to the opposite one, a processor
/// each (Coppola, Locatelli, Maruccia, Pieralisi and Scandurra, Spidergon: a novel on-chip communication
/// network, SoC 2004, unchecked); where N is a multiple of 4 the octagon. All-port.
Topology make_spidergon(unsigned routers);

/// `ccc:n`: the cube-connected cycles of order n, a hypercube of n dimensions whose every vertex w is a ring
/// of n routers n*w to n*w + n-1; number i of a ring is linked to number i of the ring of w with bit i
/// changed. Degree 3 (Preparata and Vuillemin, The cube-connected cycles, CACM 24(5), 1981, unchecked). A
/// processor each, all-port; n is at least 3.
Topology make_cube_connected_cycles(unsigned dimensions);

/// `star:N`: N >= 2 leaf routers `0`..`N-1` with a processor each around the router `hub`, which has none;
/// all-port.
Topology make_star(unsigned leaves);

/// `complete:N`: N >= 2 routers, each linked to every other one; a processor each, all-port.
Topology make_complete(unsigned routers);

} // namespace nocturne
