// Boxes: sets of nodes that a network is made of.
#pragma once

#include "models/topology/link_network.hpp"

#include <functional>
#include <vector>

namespace nocturne {

/// Sets of nodes without a common one, each ascending and with processors.
using Boxes = std::vector<std::vector<NodeId>>;

/// Sets of nodes with processors that links of this kind join.
Boxes joined_by(const LinkNetwork& network, const std::function<bool(LinkId link)>& joins);

/// Candidates: the sets of nodes that are still joined if links are left out that are narrower than one of
/// the eight largest bandwidths, or that join two switches, or that have a switch at an end; and all switches
/// with the same number of processors, with these, if each processor is at one of them. Without those that
/// have all processors in one box, or each in its own.
std::vector<Boxes> boxes_of(const LinkNetwork& network);

} // namespace nocturne
