// Sets of nodes that a network is made of, as candidates for bounds that count them as one processor each.
#pragma once

#include "models/topology/link_network.hpp"

#include <vector>

namespace nocturne {

/// By each of some ways to leave out links, the sets of nodes that the others join, those with processors:
/// links below each of their bandwidths, links between switches, and links to switches. Without a way that
/// leaves all processors together, or each alone.
std::vector<std::vector<std::vector<NodeId>>> boxes_of(const LinkNetwork& network);

} // namespace nocturne
