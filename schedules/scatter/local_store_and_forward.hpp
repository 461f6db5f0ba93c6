// Scatters under store-and-forward switching: an ejection pool of messages, each on a cheapest route through
// the steps.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

/// Every message has one receiver and takes hops, from processor to processor, in later and later steps.
/// Messages without a route wait in a pool. A random one gets the route on which the messages in its way
/// weigh least (dynamic programming over processor and step), these go to the pool, and a few others change
/// to routes that are as free. A message weighs as much as it often found no free route.
/// With a schedule to begin with, messages whose whole route is in it begin there instead of in the pool.
/// SearchProgress::tried counts routes. Gives up at once if a receiver is more than `steps` hops away. Throws
/// std::invalid_argument if a message has several receivers.
SearchResult search_store_and_forward(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
