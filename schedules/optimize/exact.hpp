// The engine that decides whether there is a schedule: satisfiability of a formula.
#pragma once

#include "schedules/optimize/engine.hpp"

namespace nocturne {

/// Has the formula for the fewest steps that the ports allow at most some million literals?
bool suits_exact(const Problem& problem);

/// Finds a schedule, or proves that there is none; gives up where the steps asked for make the formula too large. Messages
/// with a single receiver are tried without relays first: that formula is smaller, and its steps can be exchanged. Effort
/// counts conflicts; nothing is random, so the seed is not used.
SearchResult search_exact(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
