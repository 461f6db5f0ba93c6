// What is checked of every routing, by means that share nothing with the code under test but topology and
// path.
#pragma once

#include "models/routing/deadlock.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/path.hpp"

#include <cstdint>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace nocturne::test {

using VirtualChannel = std::pair<ChannelId, std::uint32_t>; ///< channel and class
using Dependencies = std::set<std::pair<VirtualChannel, VirtualChannel>>;

Path path_of(const Route& route);

/// Of all processors, a processor with itself included.
template <typename Visit>
void for_all_pairs(const Topology& topology, Visit visit)
{
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
            visit(source, destination);
}

/// Requires that the route of each pair joins the two, is the same when asked for again and visits no router
/// twice, and that vc_classes is the number of classes that are used.
void require_sound(const Topology& topology, const Routing& routing);

/// Requires that each route is as short as a path can be.
void require_minimal(const Topology& topology, const Routing& routing);

/// From each hop of the route to the next.
void insert_dependencies(Dependencies& dependencies, const Route& route);

/// From each hop to the next, over the routes of all pairs.
Dependencies dependencies_of(const Topology& topology, const Routing& routing);

bool has_cycle(const Dependencies& dependencies);

/// Requires that each edge of the cycle, the one that closes it included, is among the dependencies, and that
/// no vertex comes twice.
void require_cycle_of(const Dependencies& dependencies, const std::vector<Hop>& cycle);

/// Requires that the check says free of deadlock, rightly, and knows just those dependencies.
void require_dependencies(const DependencyCheck& check, const Dependencies& expected);

/// Requires of a routing that draws its routes that, of so many draws, each joins its pair and the check
/// for deadlock knows what follows each other in it; with `is_all` that it knows nothing else. It is free
/// where the check says so.
void require_known_draws(const Topology& topology, const Routing& routing, const DependencyCheck& check,
                         int draws, bool is_all);

/// The least sums of `cost_of(channel)` over paths from router to router, by Floyd and Warshall; `far` where
/// there is none. No channel has a cost of `far`.
std::vector<std::vector<std::uint64_t>>
least_costs(const Topology& topology, const std::function<std::uint64_t(const Channel&)>& cost_of);
inline constexpr std::uint64_t far = std::uint64_t{1} << 62;

/// Requires that check_deadlock says deadlock-free, and that it is true.
void require_deadlock_free(const Topology& topology, const Routing& routing);

/// Requires that check_deadlock reports a cycle, and a true one.
void require_deadlock(const Topology& topology, const Routing& routing);

} // namespace nocturne::test
