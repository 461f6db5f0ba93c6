// Distances between routers, in hops or in cycles.
#pragma once

#include "models/routing/path_cost.hpp"
#include "models/topology/topology.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace nocturne {

/// The distance between routers that no path joins.
inline constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max();

/// Fewest hops from each router to `destination` (from `source` to each router), indexed by router;
/// `unreachable` where there is no path. Time O(routers + channels). Throws std::invalid_argument if the
/// router does not exist.
std::vector<std::uint32_t> distances_to(const Topology& topology, RouterId destination);
std::vector<std::uint32_t> distances_from(const Topology& topology, RouterId source);

/// The cost of a path of least cost from each router to `destination`, likewise. Time O(channels log
/// routers), unless hops are counted. Throws std::invalid_argument also for a path whose cost exceeds 2^31.
std::vector<std::uint32_t> distances_to(const Topology& topology, RouterId destination, const PathCost& cost);
/// The same by those channels only.
std::vector<std::uint32_t> distances_to(const Topology& topology, RouterId destination, const PathCost& cost,
                                        const std::function<bool(const Channel&)>& is_allowed);

/// Is the channel the first of a path of least cost from its source, by a table of distances_to()?
inline bool leads_nearer(std::span<const std::uint32_t> distance, const Channel& channel,
                         const PathCost& cost)
{
    const std::uint32_t here = distance[channel.source];
    const std::uint32_t there = distance[channel.target];
    return there < here && here != unreachable && here - there == cost.of(channel);
}

/// The routers at the two ends of a message's way.
struct Endpoints {
    RouterId source;      ///< where the source injects
    RouterId destination; ///< where the destination is ejected to
};

/// Throws std::invalid_argument if a processor does not exist.
Endpoints endpoints(const Topology& topology, ProcessorId source, ProcessorId destination);

} // namespace nocturne
