// How far processors are from each other when every transfer is a hop.
#pragma once

#include "models/routing/distances.hpp"

#include <vector>

namespace nocturne {

/// Fewest transfers that bring a message from `origin` to each processor under store-and-forward switching,
/// where a transfer leads from a processor to one at the same router or at the other end of a channel:
/// routers without a processor keep nothing. `unreachable` where none do. Time O(routers + channels +
/// processors). Throws std::invalid_argument if the processor does not exist.
std::vector<std::uint32_t> transfers_from(const Topology& topology, ProcessorId origin);

} // namespace nocturne
