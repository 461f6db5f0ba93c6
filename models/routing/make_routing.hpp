// Routings by name.
#pragma once

#include "models/routing/routing.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// The routing that `name` stands for: one of the names below, with `+datelines` or `+layers` behind it for
/// the assignment of virtual channels of that name (`dor+datelines`, `shortest+layers`).
///   dor         dimension_order
///   tag         destination_tag
///   tag_random  destination_tag, free digits drawn with `seed`; takes no assignment
///   updown      up_down
///   shortest    shortest_path
///   auto        what suits the topology, always deadlock-free: tag for self-routing networks, dor for grids
///   (with
///               datelines on tori), otherwise shortest+layers
/// The topology must outlive the routing. Throws std::invalid_argument for an unknown name, with those that
/// exist, and what the functions named above throw.
Routing make_routing(const Topology& topology, std::string_view name, std::uint64_t seed = 1);

/// The names that make_routing() knows, for a help text: without assignments.
std::vector<std::string> routing_names();

} // namespace nocturne
