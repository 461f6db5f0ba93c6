// Universal globally-adaptive load-balanced routing: minimal or round about, by the queues at the source.
#pragma once

#include "models/routing/routing.hpp"

#include <cstdint>

namespace nocturne {

/// `ugal`, with what its source router knows (UGAL-L): a message goes by `base`, or by `base` to a uniformly
/// random processor and from there by `base` to its destination, as valiant() sends it. The router where the
/// message enters the network decides when it computes the route: the detour, if its output's queue times
/// its hops is less than the queue of the minimal route's output times the hops of that. A queue is the flits
/// that the output has credits out for, in all its virtual channels. (A. Singh, Load-balanced routing in
/// interconnection networks, PhD thesis, Stanford University, 2005.)
///
/// Classes of virtual channels are those of valiant(): minimal routes are in those of the first part, so that
/// a base which is deadlock-free makes a routing that is. Same seed, same draws. The topology must outlive
/// the routing. Throws as valiant() does.
Routing ugal(const Topology& topology, Routing base, std::uint64_t seed);

} // namespace nocturne
