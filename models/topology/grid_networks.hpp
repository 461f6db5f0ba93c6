// Direct networks on a grid, one processor a router, all-port. Routers are numbered in row-major order: the
// last dimension varies fastest.
#pragma once

#include "models/topology/topology.hpp"

#include <functional>
#include <span>
#include <string>

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

/// `cmesh:RxCxk`: the concentrated mesh, a mesh of R x C routers with k processors each, one-port unless k is
/// 1 (Balfour and Dally, Design tradeoffs for tiled CMP on-chip networks, ICS 2006, whose k is 4; without its
/// express channels). Throws as make_mesh.
Topology make_concentrated_mesh(unsigned rows, unsigned columns, unsigned processors);

/// `folded_torus:RxC[x...]`: the torus laid out without long wires: each ring goes out over every other place
/// and back over those between, so that links are 2 places long, and 1 at both ends. That is their length and
/// their latency, one cycle a place. Coordinates, names and the grid are those of the torus; throws as
/// make_torus.
Topology make_folded_torus(std::span<const unsigned> extent);

/// `twisted_torus:R,C[,t]`: a torus of R rows and C columns whose links from the last row to the first lead
/// t columns further, C/2 unless given (Camara, Moreto, Vallejo, Beivide, Miguel-Alonso, Martinez and
/// Navaridas, Twisted torus topologies for enhanced interconnection networks, IEEE TPDS 2010, which have C =
/// 2R and t = R). Its grid is the one of the mesh in it. Throws std::invalid_argument unless R is at least
/// 2, C at least 3 and t below C.
Topology make_twisted_torus(unsigned rows, unsigned columns, unsigned twist);

/// `elevator_mesh:LxRxCxE`: L layers that are meshes of R x C, one above the other, with vertical links only
/// at the elevators: the routers whose row and column are E/2 (rounded down) modulo E. With E = 1 the mesh
/// of three dimensions (Dubois, Sheibanyrad, Petrot and Bahmani, Elevator-First: a deadlock-free distributed
/// routing algorithm for vertically partially connected 3D-NoCs, IEEE Trans. Computers 62(3), 2013,
/// unchecked; there elevators are anywhere). Throws std::invalid_argument if there is no elevator, and as
/// make_mesh.
Topology make_elevator_mesh(unsigned layers, unsigned rows, unsigned columns, unsigned period);

// For the generators of other networks on grids.

/// The name of the router at a place.
using NameOfPlace = std::function<std::string(std::span<const unsigned>)>;

/// Its coordinates: `01`, with commas once an extent exceeds 10.
NameOfPlace coordinate_names(const Grid& grid);

/// The routers of a grid, where a drawing has them with room for `processors` at each, and the grid itself,
/// but no links: for an empty topology.
void add_grid_routers(Topology& topology, const Grid& grid, const NameOfPlace& router_name,
                      unsigned processors = 1);

} // namespace nocturne
