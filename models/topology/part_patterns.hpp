// Which routers, and which links, a row of properties is about (part_rows.hpp).
#pragma once

#include "models/topology/topology.hpp"

#include <string_view>
#include <vector>

namespace nocturne {

/// By router: is it one of them? Throws std::invalid_argument for coordinates without a grid, or with other
/// dimensions than it has, and for what is no range.
std::vector<bool> routers_matching(const Topology& topology, std::string_view pattern);

/// `FROM->TO`, `FROM--TO` or a kind of links. Throws std::invalid_argument for a kind that there is not, or
/// that needs what the network lacks.
std::vector<ChannelId> links_matching(const Topology& topology, std::string_view pattern);

} // namespace nocturne
