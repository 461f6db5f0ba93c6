// Direct networks on a grid, one processor a router, all-port. Routers are numbered in row-major order: the
// last dimension varies fastest.
#pragma once

#include "models/topology/topology.hpp"

#include <span>

namespace nocturne {

/// `mesh:RxC[x...]`: any number of dimensions, each of 1 or more routers. Router names are the coordinates,
/// `01` for row 0, column 1, with commas once an extent exceeds 10. Throws std::invalid_argument if there is
/// no dimension, an extent is 0 or the network too large.
Topology make_mesh(std::span<const unsigned> extent);

/// `torus:RxC[x...]`: the mesh with every dimension closed to a ring. A dimension of extent 2 has one link,
/// not two parallel ones, and a dimension of extent 1 none: the torus is a simple graph. Throws as make_mesh.
Topology make_torus(std::span<const unsigned> extent);

/// `oneway_torus:RxC[x...]` (unidirectional torus): the torus with a channel from each router to the next one
/// in each dimension, and none back. A dimension of extent 2 has a channel each way. Throws as make_mesh.
Topology make_oneway_torus(std::span<const unsigned> extent);

/// `hypercube:n`: 2^n routers named by their index, linked if their indices differ in one bit; n is 1 to 12.
/// It is a grid of n dimensions of extent 2: bit n-1-d of the index is the coordinate in dimension d.
Topology make_hypercube(unsigned dimensions);

/// `folded_hypercube:n` (K-ring): the hypercube with a further link from each router to its complement, which
/// halves the diameter (El-Amawy and Latifi 1991). n is 2 to 12: with one dimension the complement is the
/// neighbour.
Topology make_folded_hypercube(unsigned dimensions);

/// `coated_mesh:RxC`: a mesh of R x C switches with processors only around it: C at the top and at the bottom
/// side, R at the left and at the right one, so that a corner switch has two. Processors p0, p1, ...
/// clockwise from the top left corner; one-port. R and C are at least 2; throws as make_mesh.
Topology make_coated_mesh(unsigned rows, unsigned columns);

} // namespace nocturne
