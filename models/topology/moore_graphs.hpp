// The Moore graphs of diameter 2 and degree 3 and 7: as many routers as that degree and diameter allow. One
// processor a router, all-port (Hoffman and Singleton 1960).
#pragma once

#include "models/topology/topology.hpp"

namespace nocturne {

/// `petersen`: 10 routers of degree 3; 0-4 are the outer pentagon, 5-9 the pentagram inside.
Topology make_petersen();

/// `hoffman_singleton`: 50 routers of degree 7; five pentagons P_h of routers 5h+j and five pentagrams Q_i of
/// routers 25+5i+j; vertex j of P_h is linked to vertex h*i+j mod 5 of Q_i.
Topology make_hoffman_singleton();

} // namespace nocturne
