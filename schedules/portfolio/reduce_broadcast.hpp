// All-reduce in two halves: what is added at one place is copied from there.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

/// Sums of all processors that several are owed whole: an all-reduce.
bool suits_reduce_broadcast(const Problem& problem);

/// Each sum has a root, the only one the processor that is nearest to all, several each another. The sums
/// come together there by a schedule of copies run backwards (run_backwards()) and are copied to their
/// receivers; both halves are searched for by the engines `construct` and `local`, from their lower bounds
/// upwards.
SearchResult search_reduce_broadcast(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
