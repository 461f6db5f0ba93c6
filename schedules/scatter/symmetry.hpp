// The engine `symmetry`: schedules as symmetric as their network.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

/// Searches for schedules of scatters and permutations under wormhole switching that a group of symmetries
/// maps to themselves, some of its elements leaving every step unchanged, the others permuting the steps:
/// only orbits of messages have to be packed, and only into base steps (see orbit_packing.hpp). Several
/// groups are tried in turn, again and again with more effort, until effort or time are over. Gives up at
/// once if the network has no symmetry of use.
SearchResult search_symmetric(const Problem& problem, unsigned steps, const SearchControl& control);

/// Scatters and permutations under wormhole switching.
bool suits_symmetric(const Problem& problem);

} // namespace nocturne
