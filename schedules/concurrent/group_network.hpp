// A group of processors as a network of its own.
#pragma once

#include "models/topology/link_network.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

/// Members and the switches between them, with the links among these.
struct GroupNetwork {
    LinkNetwork network;       ///< member k of the group is processor k
    std::vector<NodeId> nodes; ///< of the whole network, by node
    std::vector<LinkId> links; ///< the same, by link
};

/// Without switches that lead nowhere. Nothing if some member cannot reach another one this way.
std::optional<GroupNetwork> group_network(const LinkNetwork& whole, const std::vector<std::uint32_t>& group);

/// The same network as `pattern`, node by node and link by link, in the place of another group; nothing if it
/// looks different. Members correspond in the order of their ranks.
std::optional<GroupNetwork> placed_like(const GroupNetwork& pattern, const GroupNetwork& group);

} // namespace nocturne
