// The engines for messages in steps that are made of other parts; see engines.cpp.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

// The engine that decides whether there is a schedule: satisfiability of a formula.

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

// Small collectives that add, as a question of satisfiability.

/// Small enough, and without sums that a slack sends straight from one processor to the one receiver.
bool suits_sums(const Problem& problem);

/// Transfers go to neighbours first, then farther over minimal paths, at last over every path that the
/// problem allows; the questions take turns. Impossible, without a proof, if that last one has no answer. The
/// effort counts conflicts.
SearchResult search_sums(const Problem& problem, unsigned steps, const SearchControl& control);

// All-reduce in two halves: what is added at one place is copied from there.

/// Sums of all processors that several are owed whole: an all-reduce.
bool suits_reduce_broadcast(const Problem& problem);

/// Each sum has a root, the only one the processor that is nearest to all, several each another. The sums
/// come together there by a schedule of copies run backwards (run_backwards()) and are copied to their
/// receivers; both halves are searched for by the engines `construct` and `local`, from their lower bounds
/// upwards.
SearchResult search_reduce_broadcast(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
