// Hop distances by breadth-first search.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace nocturne {

/// The distance between routers that no path joins.
inline constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max();

/// Fewest hops from each router to `destination` (from `source` to each router), indexed by router;
/// `unreachable` where there is no path. Time O(routers + channels). Throws std::invalid_argument if the
/// router does not exist.
std::vector<std::uint32_t> distances_to(const Topology& topology, RouterId destination);
std::vector<std::uint32_t> distances_from(const Topology& topology, RouterId source);

/// The routers at the two ends of a message's way.
struct Endpoints {
    RouterId source;      ///< where the source injects
    RouterId destination; ///< where the destination is ejected to
};

/// Throws std::invalid_argument if a processor does not exist.
Endpoints endpoints(const Topology& topology, ProcessorId source, ProcessorId destination);

} // namespace nocturne
