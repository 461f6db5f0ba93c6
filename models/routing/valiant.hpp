// Valiant's randomized routing.
#pragma once

#include "models/routing/routing.hpp"

#include <cstdint>

namespace nocturne {

/// Sends each message by `base` to a uniformly random processor, which may be its source or destination, and
/// from there by `base` to its destination: the load of every pattern becomes that of two uniform ones. (L.
/// G. Valiant, A scheme for fast parallel communication, SIAM J. Computing 11(2), 1982.) Messages between
/// processors of one router stay there.
///
/// The second part has classes of virtual channels of its own, behind those of the first, so that a base
/// which is deadlock-free makes a routing that is. Same seed, same draws; copies of the routing share one
/// generator. The topology must outlive the routing. Throws std::invalid_argument if a processor injects and
/// is ejected at different routers, so that messages cannot pass through it, or `base` has more than one
/// route for a pair; the routing throws what `base` throws.
Routing valiant(const Topology& topology, Routing base, std::uint64_t seed);

/// Throws std::invalid_argument if a processor injects and is ejected at different routers: no message can
/// pass through it.
void require_way_through_processors(const Topology& topology);

} // namespace nocturne
