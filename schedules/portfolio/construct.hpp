// The engines that need no search.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

/// The engine `construct`: best_construction(), if it needs no more than `steps` steps. It can be tried on
/// everything.
bool suits_construction(const Problem& problem);
SearchResult search_construction(const Problem& problem, unsigned steps, const SearchControl& control);

/// The engine `flow`: one_to_all_scatter(). `impossible` below fewest_scatter_steps(). Suits scatters from
/// one processor and gathers to one.
bool suits_flow(const Problem& problem);
SearchResult search_flow(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
