// Where a chunk can get in one transfer: over a link, or through switches.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/collective/collective.hpp"

#include <cstddef>
#include <vector>

namespace nocturne {

/// A way from a node that stores chunks to another.
struct ChunkHop {
    NodeId source;
    NodeId destination;
    std::vector<LinkId> path; ///< one link, or several with switches between them

    friend bool operator==(const ChunkHop&, const ChunkHop&) = default;
};

inline bool stores(const LinkNetwork& network, NodeId node)
{
    return network.kind(node) != NodeKind::plain_switch;
}

/// Every hop whose path visits no node twice, by source, then in the order of links: all that there are to
/// choose from. Switches that copy may be crossed without storing. Throws std::length_error if there are more
/// than `most`.
std::vector<ChunkHop> all_hops(const LinkNetwork& network, std::size_t most);

/// The hops over plain switches with the fewest links between their ends: for each pair of ends those that
/// share no link, one for each parallel link or plane of switches and 64 at most, then others until there are
/// `per_pair`. By source, then by destination.
std::vector<ChunkHop> shortest_hops(const LinkNetwork& network, std::size_t per_pair);
/// Those that begin at `source`.
std::vector<ChunkHop> shortest_hops_from(const LinkNetwork& network, NodeId source, std::size_t per_pair);

/// By link: no transfer that crosses it has a lower rate (rate_of()). Of links between two processors their
/// width; of others the least of all links at the switches between which a path may lead over it.
std::vector<std::uint64_t> least_rates(const LinkNetwork& network);

inline constexpr std::uint32_t no_way = ~0u;

/// By node: the least number of transfers that bring something from `from` to it, whatever switches they
/// cross; no_way where there is none.
std::vector<std::uint32_t> transfers_from(const LinkNetwork& network, NodeId from);

/// Processors that one transfer from one of `nodes` leads to, or backwards, that one leads from.
std::vector<NodeId> one_transfer_from(const LinkNetwork& network, const std::vector<NodeId>& nodes,
                                      bool backwards);

/// By node: the least number of these hops from `from` to it; no_way where there is none.
std::vector<std::uint32_t> hop_distances_from(std::size_t nodes, const std::vector<ChunkHop>& hops,
                                              NodeId from);
/// By chunk and node: the least number of hops from it to a receiver of the chunk.
std::vector<std::vector<std::uint32_t>> hop_distances_to_receivers(std::size_t nodes,
                                                                   const std::vector<ChunkHop>& hops,
                                                                   const Collective& collective);

} // namespace nocturne
