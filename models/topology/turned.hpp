// The network with every channel turned round.
#pragma once

#include "models/topology/topology.hpp"

namespace nocturne {

/// Every channel leads the other way, under its number, and processors inject where they were ejected. A path
/// of `topology` is one here when its channels come in reverse order. Tags, which lead one way only, are
/// left out.
Topology turned(const Topology& topology);

} // namespace nocturne
