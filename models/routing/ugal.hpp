// Universal globally-adaptive load-balanced routing: minimal or round about, by the queues at the source.
#pragma once

#include "models/routing/routing.hpp"

namespace nocturne {

/// `ugal` and `ugal_global`: a message goes by `minimal` or by `detour`. The router where the message enters
/// the network decides when it computes the route: the detour, if what is before it and `threshold` are less
/// than what is before the minimal route. That is the queue of the route's first output times its hops
/// (UGAL-L), or with global knowledge the sum of the queues of all its outputs (UGAL-G, which hardware can
/// only approach). A queue is the flits that the output has credits out for, in all its virtual channels, as
/// they stood at the beginning of the cycle where the output is another router's. (A. Singh, Load-balanced
/// routing in interconnection networks, PhD thesis, Stanford University, 2005.)
///
/// Both have the classes of virtual channels of the detour. The minimal routes must be parts of detours, so
/// that a detour which is deadlock-free makes a routing that is: as valiant() over the same base, and
/// group_valiant().
Routing ugal(Routing minimal, Routing detour, QueueKnowledge knowledge, unsigned threshold);

} // namespace nocturne
