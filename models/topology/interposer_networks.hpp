// Networks of chiplets on an interposer. Routers have a processor each and are named by row and column; all
// are all-port. All throw std::invalid_argument for sizes out of range and networks too large.
#pragma once

#include "models/topology/topology.hpp"

namespace nocturne {

/// `hexamesh:r`: a chiplet and r rings of chiplets around it, 1 + 3r(r+1) in all, each linked to those that
/// it touches, 6 but at the border (Iff, Besta, Cavalcante, Fischer, Benini and Hoefler, HexaMesh: scaling
/// to hundreds of chiplets with an optimized chiplet arrangement, DAC 2023). Rows have r+1, r+2, ..., 2r+1,
/// ..., r+1 chiplets. Diameter 2r, bisection 4r + 1 links; r is at least 1.
Topology make_hexamesh(unsigned rings);

/// The longest links that a Kite has, as differences of rows and columns: (1, 1), (2, 0) or (2, 1).
enum class KiteSize { small, medium, large };

/// `kite_small:RxC`, `kite_medium:RxC`, `kite_large:RxC`: the Kite family (Bharadwaj, Yin, Beckmann and
/// Krishna, Kite: a family of heterogeneous interposer topologies enabled via accurate interconnect modeling,
/// DAC 2020) on a grid of R x C routers with four ports for links each. Ports are given to the longest links
/// first, by kinds of link and for each in the order of the routers: (2, 1) in all four directions, (2, 0),
/// (1, 1), (1, 0), from where the size begins; a link that finds no port free at an end is left out. So does
/// RapidChiplet's generator. Of the small one the figures of NetSmith's authors (20 and 64 routers) are the
/// same; of the medium and large one they differ from it at the border, as they do from each other. Length of
/// links in places; R and C are at least 2; kite_large:3x3, whose middle has no link, is refused.
Topology make_kite(KiteSize size, unsigned rows, unsigned columns);

/// `butterdonut:n`: n x n routers, n = 2^k. Between columns c and c+1 lie the links of a butterfly: of stage
/// s where c + 1 is an odd multiple of 2^s, from each row to the one whose number differs in bit s; rows are
/// folded rings (Kannan, Enright Jerger and Loh, Enabling interposer-based disintegration of multi-core
/// processors, MICRO 2015, in the form of RapidChiplet's generator; what others draw under this name has the
/// stages in another order). n is at least 4.
Topology make_butterdonut(unsigned side);

} // namespace nocturne
