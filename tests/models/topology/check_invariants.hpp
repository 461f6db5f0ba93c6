// What must hold for any network that a generator or a reader returns, and the distances that closed formulas
// are compared with.
#pragma once

#include "models/topology/topology.hpp"

#include <cstddef>
#include <vector>

namespace nocturne::test {

/// Hops from `source` to every router; `unreachable` where there is no way.
inline constexpr unsigned unreachable = ~0u;
std::vector<unsigned> hops_from(const Topology& topology, RouterId source);

/// CHECKs that the index lists agree with the channels and processors, that every name is found, that every
/// processor reaches every other one, and that the metadata fit the network.
void check_invariants(const Topology& topology);

/// The most hops from a processor to another one.
unsigned diameter(const Topology& topology);
/// Does each channel have one of its own in the other direction?
bool is_bidirectional(const Topology& topology);
/// No two channels between the same routers in the same direction, none from a router to itself.
bool is_simple(const Topology& topology);
/// Is `degree` the number of channels out of, and into, each router?
bool is_regular(const Topology& topology, std::size_t degree);

} // namespace nocturne::test
