// Small collectives that add, as a question of satisfiability.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

/// Small enough, and without sums that a slack sends straight from one processor to the one receiver.
bool suits_sums(const Problem& problem);

/// Transfers go to neighbours first, then farther over minimal paths, at last over every path that the
/// problem allows; the questions take turns. Impossible, without a proof, if that last one has no answer. The
/// effort counts conflicts.
SearchResult search_sums(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
