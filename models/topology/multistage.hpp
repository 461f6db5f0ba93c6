// Unidirectional multistage interconnection networks: processors inject into the first column of switches and
// are ejected from the last one. One-port processors 0..N-1, switches `c<column>s<index>`, columns counted
// from the left. The channels out of a switch are in the order of its output ports, which makes the control
// tag of Topology::tag_digits() right.
#pragma once

#include "models/topology/topology.hpp"

#include <string>

namespace nocturne {

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

} // namespace nocturne
