// Trees. Links are bidirectional.
#pragma once

#include "models/topology/topology.hpp"

#include <span>

namespace nocturne {

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

} // namespace nocturne
