// The engine for large scatters: what is left of a construction, or nothing, made even and packed.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

/// search_even_scatter(), which begins on a torus with missing channels with what these leave of the whole
/// torus's phases, unless the control has a schedule to begin with.
SearchResult search_even(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
