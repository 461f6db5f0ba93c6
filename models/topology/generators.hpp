// The generators of networks, as specifications name them (make_topology.hpp).
#pragma once

#include "models/topology/topology.hpp"

#include <span>
#include <string>

namespace nocturne {

// Direct networks on a grid, one processor a router, all-port. Routers are numbered in row-major order: the
// last dimension varies fastest.

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

// HyperX and flattened butterflies: every dimension of a grid is a complete graph.

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

// Small regular networks drawn on a circle. Routers are named by their index.

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

// Trees. Links are bidirectional.

/// `btree:N`: binary tree of N-1 switches with the N processors at the leaves, two on each bottom switch,
/// one-port. Switches are numbered from the root by level: the children of i are 2i+1 and 2i+2. N is a power
/// of two from 2 to 4096; anything else throws std::invalid_argument.
Topology make_binary_tree(unsigned processors);

/// `fbtree:P`: full binary tree with a processor at every vertex, numbered as in make_binary_tree; a direct
/// network, all-port (so scatters from the root and from a leaf differ, as in Jaros, GECCO 2009, table 3). P
/// = 2^h - 1, h at least 1; anything else throws std::invalid_argument.
Topology make_full_binary_tree(unsigned processors);

/// `fattree:k,n` or, with k = 2, `fattree:N`: the k-ary n-tree (Petrini and Vanneschi 1997), a folded
/// butterfly. k^n processors, n levels of k^(n-1) switches named `l<level>s<index>`, level 0 at the top.
/// Switches of levels l and l+1 are linked if the base-k digits of their indices agree everywhere but in
/// position l from the left; processor p is on bottom switch p / k; one-port. Throws std::invalid_argument
/// unless k >= 2, n >= 1 and the network is small enough.
Topology make_fat_tree(unsigned k, unsigned n);

/// `xgft:m1,...,mh,w1,...,wh`: the extended generalized fat tree XGFT(h; m1, ..., mh; w1, ..., wh) (Ohring,
/// Ibel, Das and Kumar, On generalized fat trees, IPPS 1995): h levels of switches above the processors, one
/// of level i has m_i children and every child w_i parents. With w2 below m1 and so on a fat tree that
/// tapers: `xgft:8,4,1,4` has half of the links above its bottom switches. A processor has one switch here:
/// w1 is 1. Switches are named `l<level>s<index>`, level 0 at the top, as those of make_fat_tree; one-port.
/// The k-ary n-tree is `xgft:k,...,k,1,k,...,k`. Throws std::invalid_argument unless there are as many m as
/// w, all at least 1, w1 is 1, and the network is small enough.
Topology make_generalized_fat_tree(std::span<const unsigned> sizes);

/// Processors of such a network, as TopologyKind::processors has them.
std::uint64_t generalized_fat_tree_processors(std::span<const unsigned> sizes);

// Unidirectional multistage interconnection networks: processors inject into the first column of switches and
// are ejected from the last one. One-port processors 0..N-1, switches `c<column>s<index>`, columns counted
// from the left. The channels out of a switch are in the order of its output ports, which makes the control
// tag of Topology::tag_digits() right.

/// `omega:N`: log2 N columns of 2x2 switches, a perfect shuffle before each of them (Lawrie 1975). N is a
/// power of two from 2 to 4096; anything else throws std::invalid_argument.
Topology make_omega(unsigned processors);

/// `butterfly:N`: log2 N columns of 2x2 switches, column i pairing the lines that differ in bit log2 N - 1 -
/// i, as the one-dimensional FFT does. N is a power of two from 2 to 4096; anything else throws
/// std::invalid_argument.
Topology make_butterfly(unsigned processors);

/// `clos:n,m,r`: r input switches of n x m, m middle switches of r x r, r output switches of m x n, one
/// channel between each pair of switches of adjacent columns; N = n*r processors. Any middle switch will do:
/// the first tag digit is free. Throws std::invalid_argument if a size is 0 or the network too large.
Topology make_clos(unsigned n, unsigned m, unsigned r);

/// `benes:q,n[,r]`: q^n processors and 2n-1-r columns of q x q switches. B(q,1) is one switch; B(q,n) is q
/// copies of B(q,n-1) between two columns: output j of switch i on the left leads to input i of copy j,
/// output i of copy j to input j of switch i on the right. The r-truncated network lacks the leftmost r
/// columns. The columns before the last n are free to choose (Youssef and El-Sayed, Optimization of
/// Randomized Routing on Benes Networks). Throws std::invalid_argument unless q >= 2, n >= 1, r <= n-1 and
/// the network is small enough.
Topology make_benes(unsigned q, unsigned n, unsigned truncated = 0);
/// Its specification: `benes:2,3`, `benes:2,3,1`.
std::string benes_name(unsigned q, unsigned n, unsigned truncated = 0);

// Dragonflies: groups of routers that are complete graphs, and a complete graph of the groups.

/// `dragonfly:p,a,h[,g]`: g groups of a routers with p processors and h global links each (Kim, Dally, Scott
/// and Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008). Within a group each router is
/// linked to each other one; g is a*h + 1 unless it is given, the most for which one link joins each pair of
/// groups, so that the diameter is 3.
///
/// Global links are arranged as in BookSim2 (often called the absolute arrangement): link k of a group, 0 to
/// a*h - 1, is at its router k / h and leads to group k, from group k on to group k + 1. With fewer groups
/// each pair is joined by m = a*h / (g-1) links, rounded down: link j*(g-1) + k is the j-th to that group;
/// what is left over is not used.
///
/// Router r is router r % a of group r / a (Topology::routers_per_group()), its name `g2r0`. With p = 1 the
/// network is all-port, otherwise one-port. Throws std::invalid_argument unless p, a and h are at least 1, g
/// is 2 to a*h + 1, and the network is small enough.
Topology make_dragonfly(std::span<const unsigned> sizes);

/// Processors of such a network, as TopologyKind::processors has them.
std::uint64_t dragonfly_processors(std::span<const unsigned> sizes);

// Networks of diameter 2 that come near the Moore bound, from finite fields.

/// `slimfly:q[,p]`: the McKay-Miller-Siran graph H_q, 2q^2 routers of degree (3q - d)/2 and diameter 2, where
/// q = 4w + d is a prime power and d is -1, 0 or 1; p processors a router, 1 unless given (Besta and Hoefler,
/// Slim Fly: a cost effective low-diameter network topology, SC 2014; Hafner, Geometric realisation of the
/// graphs of McKay-Miller-Siran, 2004).
///
/// Routers are (0, x, y) and (1, m, c), in this order, by elements of GF(q) (FiniteField): (0, x, y) is
/// linked to (0, x, y') if y - y' is in X, (1, m, c) to (1, m, c') if c - c' is in X', and (0, x, y) to (1,
/// m, c) if y = mx + c. With a primitive element e, X is {1, e^2, e^4, ...} and X' is {e, e^3, ...} for d = 0
/// and 1; for d = -1 X is {1, e^2, ..., e^(2w-2), e^(2w-1), e^(2w+1), ..., e^(4w-3)} and X' is e times that.
///
/// A half of q routers (0, x, _) or (1, m, _) is a group (Topology::routers_per_group()). Throws
/// std::invalid_argument unless q is such a prime power from 3, p at least 1, and the network small enough.
Topology make_slim_fly(unsigned q, unsigned processors);

/// `polarfly:q[,p]`: the Erdos-Renyi polarity graph ER_q of a prime power q, q^2 + q + 1 routers of degree
/// q + 1 and diameter 2, of which the q + 1 that are orthogonal to themselves have degree q; p processors a
/// router, 1 unless given (Lakhotia and others, PolarFly: a cost-effective and flexible low-diameter
/// topology, SC 2022). Routers are the points of the projective plane over GF(q), left-normalized (0, 0, 1),
/// (0, 1, z), (1, y, z), and named by them; two are linked if their dot product is 0. Throws
/// std::invalid_argument unless q is a prime power, p at least 1, and the network small enough.
Topology make_polarfly(unsigned q, unsigned processors);

// The Moore graphs of diameter 2 and degree 3 and 7: as many routers as that degree and diameter allow. One
// processor a router, all-port (Hoffman and Singleton 1960).

/// `petersen`: 10 routers of degree 3; 0-4 are the outer pentagon, 5-9 the pentagram inside.
Topology make_petersen();

/// `hoffman_singleton`: 50 routers of degree 7; five pentagons P_h of routers 5h+j and five pentagrams Q_i of
/// routers 25+5i+j; vertex j of P_h is linked to vertex h*i+j mod 5 of Q_i.
Topology make_hoffman_singleton();

// Directed networks whose routers are words and whose channels shift one letter in. One processor a router,
// all-port. Routers are in the order of their words; port p of a router shifts in the p-th letter that is
// possible.

/// `kautz:d,n`: words of length n over the letters 0..d, no two neighbours equal; (d+1)*d^(n-1) routers of
/// degree d and diameter n (Kautz 1968). Throws std::invalid_argument unless d >= 1, n >= 1 and the network
/// is small enough.
Topology make_kautz(unsigned degree, unsigned length);

/// `debruijn:d,n`: all d^n words of length n over d letters. The self-loops of the d constant words are left
/// out, which leaves those words with degree d-1. Throws std::invalid_argument unless d >= 2, n >= 1 and the
/// network is small enough.
Topology make_debruijn(unsigned letters, unsigned length);

// Networks of chiplets on an interposer. Routers have a processor each and are named by row and column; all
// are all-port. All throw std::invalid_argument for sizes out of range and networks too large.

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
