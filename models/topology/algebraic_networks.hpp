// Networks of diameter 2 that come near the Moore bound, from finite fields.
#pragma once

#include "models/topology/topology.hpp"

namespace nocturne {

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

} // namespace nocturne
