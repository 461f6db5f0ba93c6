// Scatters on large networks of any kind: even paths, packed into fewer and fewer steps.
#pragma once

#include "schedules/search/engine.hpp"

#include <cstdint>

namespace nocturne {

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

} // namespace nocturne
