// The resources of packed paths.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/problem/resources.hpp"
#include "schedules/scatter/even_paths.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// What messages hold in their step.
struct PathResources {
    std::vector<std::uint32_t> capacity; ///< by resource, of a step; 0: never scarce, never looked at
    std::vector<ResourceId> of_channel;  ///< by channel
    std::vector<std::array<ResourceId, 2>> ports; ///< by message: send and receive port
};

/// Channels and ports of the problem, whose messages have one receiver each.
PathResources path_resources(const Problem& problem);

/// In place of the channels of each path, all that a message holds on it, from its send port to its receive
/// port, each path at its place. Nothing if that is the channels themselves: no port is scarce, and each
/// channel is a resource.
std::optional<PathTable> held_paths(const PathResources& resources, const PathTable& paths);

/// By resource, the messages that hold it where each goes over its first path.
std::vector<std::uint32_t> load_of_first_paths(const PathResources& resources, const PathTable& paths);

/// Steps that the busiest resource takes under a load, 1 or more.
std::uint32_t fewest_steps(const PathResources& resources, std::span<const std::uint32_t> load);

} // namespace nocturne
