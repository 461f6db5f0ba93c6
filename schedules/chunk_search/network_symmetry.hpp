// Symmetries of networks of links, for schedules that look the same from every node of an orbit.
#pragma once

#include "schedules/chunk_search/sum_formula.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// A permutation of the nodes that keeps kinds and links, bandwidth and latency included.
struct NetworkSymmetry {
    std::vector<NodeId> nodes; ///< image of each node
    std::vector<LinkId> links; ///< image of each link; parallel ones keep their order

    friend bool operator==(const NetworkSymmetry&, const NetworkSymmetry&) = default;
};

/// Generators of the group of all that move a node, by nauty.
std::vector<NetworkSymmetry> find_symmetries(const LinkNetwork& network);

/// The same words for two networks exactly if they differ by the names and the order of nodes and links only.
std::vector<std::uint32_t> network_form(const LinkNetwork& network);

/// Groups whose elements, but for the identity, move every processor: each as its elements without the
/// identity, the largest first, at most `most` of them. Found by adding elements of the whole group one by
/// one, of which at most 4096 are looked at, so that larger ones may exist. Such a group makes the formula of
/// a symmetric schedule as many times smaller as it has elements.
std::vector<std::vector<NetworkSymmetry>> semiregular_groups(const LinkNetwork& network, std::size_t most);

/// Transfers that the symmetries take to each other are one orbit. Equal chunks of one origin are taken to
/// those of the image in their order. Nothing if a symmetry does not keep the collective.
TransferOrbits transfer_orbits(std::span<const ChunkHop> hops, const Collective& collective,
                               std::span<const NetworkSymmetry> symmetries);

/// The same symmetries, which with the identity are a group, for schedules that add. Chunks that are alike,
/// as many as the group has elements or a multiple, are taken to each other as the elements are; otherwise
/// each chunk is kept. Nothing if that does not keep the collective.
std::vector<SumSymmetry> sum_symmetries(std::span<const ChunkHop> hops, const Collective& collective,
                                        std::span<const NetworkSymmetry> symmetries);

} // namespace nocturne
