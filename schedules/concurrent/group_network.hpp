// A group of processors as a network of its own.
#pragma once

#include "models/topology/link_network.hpp"
#include "models/topology/path.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

/// Members and the switches between them, with the links among these.
struct GroupNetwork {
    LinkNetwork network;       ///< member k of the group is processor k
    std::vector<NodeId> nodes; ///< of the whole network, by node
    std::vector<Path> paths;   ///< the same, by link: one link, or several over others that relay
};

/// Without switches that lead nowhere. Nothing if some member cannot reach another one this way.
std::optional<GroupNetwork> group_network(const LinkNetwork& whole, const std::vector<std::uint32_t>& group);

/// Does every processor reach every other one?
bool is_connected(const LinkNetwork& network);

/// Bandwidths of networks with shares are in so many parts of a byte.
inline constexpr std::uint64_t share_parts = 48;

/// Each group as a network of its members alone, whose links are the shortest paths between two of them that
/// no third one is on, without a common link. Others on them relay. A link that several paths share, of
/// whatever group, has a part of its bandwidth for each: a byte has `share_parts`. Nothing if some member
/// cannot reach another one this way.
std::vector<GroupNetwork> relay_networks(const LinkNetwork& whole,
                                         const std::vector<std::vector<std::uint32_t>>& groups);

/// The network with so much of the bandwidth of each link, from 0 to 1, in the parts of bytes; something of
/// each is left.
LinkNetwork with_shares(const LinkNetwork& network, const std::vector<double>& shares);

/// The same network as `pattern`, node by node and link by link, in the place of another group; nothing if it
/// looks different. Members correspond in the order of their ranks.
std::optional<GroupNetwork> placed_like(const GroupNetwork& pattern, const GroupNetwork& group);

} // namespace nocturne
