// Networks of FlooGen, the generator of FlooNoC, in YAML (Fischer, Rogenmoser, Benz, Gürkaynak and Benini,
// FlooNoC: A 645-Gb/s/link 0.15-pJ/B/hop open-source NoC with wide physical links and end-to-end AXI4
// parallel multistream support, IEEE Trans. VLSI Systems 33(4), 2025).
//
//     name: small
//     routing: {route_algo: XY}
//     routers:
//       - {name: router, array: [4, 2]}           columns and rows: router_0_0, router_0_1, ...; or `tree`,
//                                                 routers by level; or neither: one, called so
//     endpoints:
//       - {name: cluster, array: [4, 2]}
//       - {name: memory}
//     connections:
//       - {src: cluster, dst: router, src_range: [[0, 3], [0, 1]], dst_range: [[0, 3], [0, 1]]}
//       - {src: memory, dst: router, dst_idx: [0, 0]}
//
// An end of a connection is one, an index, a range for each dimension of an array (both ends included, either
// may be the larger), or the routers of a level of a tree (`src_lvl`). The first of one end goes with the
// first of the other, and so on; with `allow_multi` the end that has fewer takes several in a row. An array
// is a mesh, a tree joined to its parents, unless `auto_connect` is false.
//
// Endpoints are processors, each at one router and with one link there (one-port); routers without any have
// none. A network whose routers are one array of two dimensions has a grid, rows by columns: XY is `xy`.
#pragma once

#include "models/topology/topology.hpp"

#include <string_view>

namespace nocturne {

/// The network that the text describes, called by its name. `origin` begins every error message; throws
/// std::runtime_error, one line with the line of the file. What is not used (address ranges, protocols,
/// directions of ports, offsets of coordinates, ...) and what is left open is remarked (InputLog::remark()).
Topology topology_from_floogen(std::string_view text, std::string_view origin);

} // namespace nocturne
