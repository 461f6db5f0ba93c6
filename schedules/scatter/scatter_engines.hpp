// The engines for scatters; see engines.cpp.
#pragma once

#include "schedules/search/engine.hpp"

#include <cstdint>

namespace nocturne {

// Scatters: every message goes straight to its one receiver, and is packed into a step on one of its paths.

/// Bytes that search_scatter(), or search_store_and_forward(), takes for a schedule of `steps` steps.
std::uint64_t memory_of_scatter(const Problem& problem, unsigned steps);

/// An ejection pool (see pack()) over the paths of each message, with more slack and more effort each round.
SearchResult search_scatter(const Problem& problem, unsigned steps, const SearchControl& control);

// Scatters under store-and-forward switching: an ejection pool of messages, each on a cheapest route through
// the steps.

/// Every message has one receiver and takes hops, from processor to processor, in later and later steps.
/// Messages without a route wait in a pool. A random one gets the route on which the messages in its way
/// weigh least (dynamic programming over processor and step), these go to the pool, and a few others change
/// to routes that are as free. A message weighs as much as it often found no free route.
/// With a schedule to begin with, messages whose whole route is in it begin there instead of in the pool.
/// SearchProgress::tried counts routes. Gives up at once if a receiver is more than `steps` hops away. Throws
/// std::invalid_argument if a message has several receivers.
SearchResult search_store_and_forward(const Problem& problem, unsigned steps, const SearchControl& control);

// Scatters on large networks of any kind: even paths, packed into fewer and fewer steps.

/// Messages with one receiver each, which all have a path to it, under wormhole switching.
bool suits_even_scatter(const Problem& problem);

/// Bytes that it takes for a schedule of `steps` steps.
std::uint64_t memory_of_even_scatter(const Problem& problem, unsigned steps);

/// Paths over which the load is even (see even_paths()), packed into fewer and fewer steps (see
/// pack_even_paths()) until the busiest channel or port is busy in every step, or the effort is spent:
/// thousands of placements for each message if the control sets no limit. Gives the best schedule found in
/// time, if it has at most `steps` steps. Of a schedule to begin with, messages keep paths and steps as far
/// as that is even enough.
SearchResult search_even_scatter(const Problem& problem, unsigned steps, const SearchControl& control);

// Large scatters on symmetric networks: even paths and packing for one message of each orbit.

/// What search_even_scatter() does, in a quotient of the problem (see Quotient), which is smaller by the
/// order of the group, so that every message is placed so many times as often. Of the groups that
/// find_free_subgroups() knows the one is taken whose quotient has the least load on its busiest channel or
/// port, the largest of equal ones. In every network of links there is one of two elements: each path and
/// the reversed one. Gives up if no group is of use, and has no use for a schedule to begin with. Suits what
/// search_even_scatter() suits; takes less memory.
SearchResult search_quotient_scatter(const Problem& problem, unsigned steps, const SearchControl& control);

// The engine `symmetry`: schedules as symmetric as their network.

/// Searches for schedules of scatters and permutations under wormhole switching that a group of symmetries
/// maps to themselves, some of its elements leaving every step unchanged, the others permuting the steps:
/// only orbits of messages have to be packed, and only into base steps (see orbit_packing.hpp). Several
/// groups are tried in turn, again and again with more effort, until effort or time are over. Gives up at
/// once if the network has no symmetry of use.
SearchResult search_symmetric(const Problem& problem, unsigned steps, const SearchControl& control);

/// Scatters and permutations under wormhole switching.
bool suits_symmetric(const Problem& problem);

} // namespace nocturne
