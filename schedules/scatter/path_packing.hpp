// Packing messages with a few paths each into steps: for millions of messages and tens of thousands of steps.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/scatter/even_paths.hpp"
#include "schedules/search/engine.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// Where a message goes.
struct PathPlacement {
    std::uint32_t step;
    std::uint32_t path; ///< index in the PathTable

    friend bool operator==(const PathPlacement&, const PathPlacement&) = default;
};

struct PathPackingResult {
    std::vector<PathPlacement> placements; ///< by message; empty unless all found a place
    std::uint64_t tried = 0;               ///< messages placed, again and again
    std::uint64_t unplaced = 0;            ///< messages left at the best moment
};

/// First fit in the order of congestion, with ejection: the message whose path leads over most of what is
/// scarce goes first, into the first step that has room on one of its paths. Where none has, it takes the
/// place in which the lightest messages are in its way; these wait for their next turn. A message weighs more
/// the more scarce channels its path takes, and the more often it found no room. Messages with short paths
/// come last and fill the gaps.
///
/// Steps are bits, so that a path is held against 64 steps at once: a word says of each in how many places
/// the path is blocked there, from one to five. Of the steps with the fewest, some are priced by the messages
/// that hold them. Takes 4 bytes for a resource and step. Deterministic for a seed and effort; gives
/// up as well
/// if the messages left have not become fewer for long. Each message of the problem has one receiver and
/// at least one path; steps are 1 or more.
PathPackingResult pack_paths(const Problem& problem, const PathTable& paths, std::uint32_t steps,
                             const SearchControl& control);

} // namespace nocturne
