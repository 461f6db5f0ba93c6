// Self-routing of multistage networks.
#pragma once

#include "models/routing/routing.hpp"

#include <cstdint>

namespace nocturne {

/// Each column of the network takes its output port from a digit of the destination (Topology::tag_digits). A
/// column whose digit is free takes a digit of the source instead: the first free column the lowest digit in
/// its radix, the next one the digit above, and so on. In a Benes or Clos network the sources of one
/// first-stage router so leave through different ports, and no two of a permutation's messages meet before
/// its middle stage.
///
/// Deadlock-free with one class of virtual channels: routes only go from one column to the next.
/// The topology must outlive the routing. Throws std::invalid_argument if the network has no tag digits;
/// asking for a route throws if a processor does not exist or the digits do not lead to the destination.
Routing destination_tag(const Topology& topology);

/// The same with free digits drawn at random for each message; same seed, same draws. Copies of the routing
/// share one generator.
Routing destination_tag(const Topology& topology, std::uint64_t seed);

} // namespace nocturne
