// Scatters: every message goes straight to its one receiver, and is packed into a step on one of its paths.
#pragma once

#include "schedules/search/engine.hpp"

#include <cstdint>

namespace nocturne {

/// Bytes that search_scatter(), or search_store_and_forward(), takes for a schedule of `steps` steps.
std::uint64_t memory_of_scatter(const Problem& problem, unsigned steps);

/// An ejection pool (see pack()) over the paths of each message, with more slack and more effort each round.
SearchResult search_scatter(const Problem& problem, unsigned steps, const SearchControl& control);

} // namespace nocturne
