// How often chunks must leave a set of nodes.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/collective/collective.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// By node: is it in the set? Throws std::invalid_argument for a node that does not exist.
std::vector<bool> inside_of(const NodeCut& cut, const LinkNetwork& network);

/// By chunk: what must leave a set of nodes at least, in transfers of it; 0 for a chunk that need not.
/// `is_inside`: by node.
///
/// Of the contributions inside, a sum outside has what came over the cut, added up and copied. So whatever is
/// owed outside, cut down to these contributions, is in the span of what has come, as vectors over the field
/// of two elements, and no fewer sums have come than these are linearly independent. That is 1 where all are
/// owed the same, and for a scan as often as a member inside is followed by one outside.
std::vector<std::uint32_t> least_crossings(const Collective& collective, const std::vector<bool>& is_inside);

} // namespace nocturne
