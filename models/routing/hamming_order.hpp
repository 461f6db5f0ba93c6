// Dimension-order routing where every dimension is a complete graph: HyperX and flattened butterflies.
#pragma once

#include "models/routing/routing.hpp"

#include <optional>
#include <vector>

namespace nocturne {

/// The extents, most significant first, if the routers are numbered in their mixed radix and two of them are
/// joined, by one channel or more each way, exactly if they differ in one coordinate (a Hamming graph); each
/// is 2 or more. Time O(channels).
std::optional<std::vector<unsigned>> hamming_extents(const Topology& topology);

/// Dimension order on such a network, the last dimension first: one hop in each in which source and
/// destination differ, a pair always by the same one of parallel channels. Minimal and deadlock-free with
/// one class of virtual channels. The topology must outlive the routing, which throws for a processor that
/// does not exist.
Routing hamming_order(const Topology& topology, std::vector<unsigned> extents);

} // namespace nocturne
