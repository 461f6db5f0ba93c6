// HyperX and flattened butterflies: every dimension of a grid is a complete graph.
#pragma once

#include "models/topology/topology.hpp"

#include <span>

namespace nocturne {

/// `hyperx:S1xS2[x...]`: a router with a processor at each place of the grid, linked to all that differ in
/// one coordinate; the Hamming graph (Ahn, Binkert, Davis, McLaren and Schreiber, HyperX: topology, routing,
/// and packaging of efficient large-scale networks, SC 2009, with K = T = 1). Diameter: how many dimensions
/// have more than one place. Throws std::invalid_argument as make_mesh does.
Topology make_hyperx(std::span<const unsigned> extent);

/// `regular_hyperx:L,S,K,T`: L dimensions of S places, K parallel links in the place of each one, T
/// processors a router: the regular HyperX of that paper. Throws std::invalid_argument unless S is at least
/// 2, all others at least 1, and the network small enough.
Topology make_regular_hyperx(unsigned dimensions, unsigned places, unsigned links, unsigned processors);

/// `flatfly:k,n`: the flattened butterfly, a k-ary n-fly whose rows of switches are one router each: n-1
/// dimensions of k routers, k processors at each (Kim, Dally and Abts, Flattened butterfly: a cost-efficient
/// topology for high-radix networks, ISCA 2007). Throws std::invalid_argument unless k and n are at least 2.
Topology make_flattened_butterfly(unsigned k, unsigned n);

} // namespace nocturne
