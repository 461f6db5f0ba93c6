// Directed networks whose routers are words and whose channels shift one letter in. One processor a router,
// all-port. Routers are in the order of their words; port p of a router shifts in the p-th letter that is
// possible.
#pragma once

#include "models/topology/topology.hpp"

namespace nocturne {

/// `kautz:d,n`: words of length n over the letters 0..d, no two neighbours equal; (d+1)*d^(n-1) routers of
/// degree d and diameter n (Kautz 1968). Throws std::invalid_argument unless d >= 1, n >= 1 and the network
/// is small enough.
Topology make_kautz(unsigned degree, unsigned length);

/// `debruijn:d,n`: all d^n words of length n over d letters. The self-loops of the d constant words are left
/// out, which leaves those words with degree d-1. Throws std::invalid_argument unless d >= 2, n >= 1 and the
/// network is small enough.
Topology make_debruijn(unsigned letters, unsigned length);

} // namespace nocturne
