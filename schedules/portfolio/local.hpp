// The engine `local`: a local search, whatever the network.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

/// Messages with one receiver each under wormhole switching: an ejection pool packs them into the steps, each
/// over one of some candidate paths (see packing.hpp, message_paths.hpp). Attempts with minimal paths and
/// with detours of one and two hops, as far as the slack allows, take turns; each round has twice the
/// placements of the one before and chooses anew where there are too many paths. From the second round on the
/// flow bound sorts out paths that no schedule of `steps` steps can use. Messages with one receiver under
/// store-and-forward switching: see local_store_and_forward.hpp; broadcasts: see local_broadcast.hpp. Gives
/// up early only where counting shows that there are too few steps for the candidate paths.
///
/// A schedule to begin with that is valid and short enough is returned as it is. Of any other, the attempts
/// of every other round begin with the messages where that has them, as far as their paths exist and there is
/// room; only the others wait in the pool. Broadcasts of one message ignore it: their steps are flows between
/// sets, and follow from the sets.
SearchResult search_local(const Problem& problem, unsigned steps, const SearchControl& control);

bool suits_local(const Problem& problem);

/// About as many bytes as search_local() takes: for scatters, who holds which channel in which step.
std::uint64_t memory_of_local(const Problem& problem, unsigned steps);

} // namespace nocturne
