// Large scatters on symmetric networks: even paths and packing for one message of each orbit.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

/// What search_even_scatter() does, in a quotient of the problem (see Quotient), which is smaller by the
/// order of the group, so that every message is placed so many times as often. Of the groups that
/// find_free_subgroups() knows the one is taken whose quotient has the least load on its busiest channel or
/// port, the largest of equal ones. In every network of links there is one of two elements: each path and
/// the reversed one. Gives up if no group is of use, and has no use for a schedule to begin with. Suits what
/// search_even_scatter() suits; takes less memory.
SearchResult search_quotient_scatter(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
