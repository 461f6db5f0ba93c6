// The engine `doubling`: see schedules/sums/doubling.hpp.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

bool suits_doubling(const Problem& problem);
SearchResult search_doubling(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
