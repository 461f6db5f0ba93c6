// What no schedule of several collectives at once beats.
#pragma once

#include "schedules/concurrent/joint_schedule.hpp"

#include <span>
#include <vector>

namespace nocturne {

/// Where to look for joint bounds.
struct JointBoundHints {
    std::span<const std::vector<bool>> among; ///< by collective: links among the members of its groups
    std::span<const Bounds> alone = {};       ///< of each collective, whose certificates are tried for all
};

/// The latest of what crosses cuts, comes into boxes and travels, for any number of parts; of all, and of
/// what is released from some time on. Cuts and boxes are those of the network (boxes.hpp), and what is left
/// of it without the links among the members of one collective's groups: planes across a torus, rails across
/// boxes.
Bounds joint_bounds(const LinkNetwork& network, const Collective& collective, const AlphaBeta& cost,
                    const JointBoundHints& hints, const SearchEnd& end);

} // namespace nocturne
