// Scatters on large networks of any kind: even paths, packed into fewer and fewer steps.
#pragma once

#include "schedules/search/engine.hpp"

#include <cstdint>

namespace nocturne {

/// Messages with one receiver each, which all have a path to it, under wormhole switching.
bool suits_even_scatter(const Problem& problem);

/// Bytes that it takes for a schedule of `steps` steps.
std::uint64_t memory_of_even_scatter(const Problem& problem, unsigned steps);

/// Paths over which the load is even (see even_paths()), packed into steps (see pack_paths()). Begins with a
/// few steps more than the busiest channel or port has messages and halves what lies between the fewest steps
/// that have sufficed and the most that have not, until these are close, the busiest channel is busy in every
/// step, or the effort is spent: at least once, and some tens of placements for each message if the control
/// sets no limit. Gives the best schedule found in time, if it has at most `steps` steps.
SearchResult search_even_scatter(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
