// The engine that decides whether there is a schedule: satisfiability of a formula.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

/// Has a formula for the fewest steps that the ports allow at most some 10^6 literals?
bool suits_exact(const Problem& problem);

/// Has the formula so few literals that the answer takes some hundredths of a second?
bool is_tiny_for_exact(const Problem& problem, unsigned steps);

/// Finds a schedule, or proves that there is none: formulas of the search's own, which are made to be quick,
/// take turns with the one that bounds are checked against (schedule_formula.hpp), whose proof the result
/// carries. Gives up where the steps asked for make them too large, and where only the search's own say that
/// there is none. Messages with one receiver are tried without relays, over minimal and over any paths, in
/// turn with the whole problem: those formulas are smaller, and their steps can be exchanged. Effort counts
/// conflicts; nothing is random, so the seed is not used. A schedule to begin with is returned if it is valid
/// and short enough; otherwise its transfers are what the solver tries first. A deadline is met within some
/// milliseconds once the formula is made.
SearchResult search_exact(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
