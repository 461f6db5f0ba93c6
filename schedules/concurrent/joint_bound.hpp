// What no schedule of several collectives at once beats.
#pragma once

#include "schedules/concurrent/joint_schedule.hpp"

#include <span>
#include <vector>

namespace nocturne {

/// The latest of what crosses cuts, comes into boxes and travels, for any number of parts. Cuts and boxes are
/// those of the network (boxes.hpp), and what is left of it without the links among the members of one
/// collective's groups: planes across a torus, rails across boxes. `among`: these links, by collective.
Bounds joint_bounds(const LinkNetwork& network, const Collective& collective, const AlphaBeta& cost,
                    std::span<const std::vector<bool>> among, const SearchEnd& end);

} // namespace nocturne
