// Packing messages with a few paths each into steps: for millions of messages and tens of thousands of steps.
#pragma once

#include "schedules/scatter/even_paths.hpp"
#include "schedules/scatter/path_resources.hpp"
#include "schedules/search/engine.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// Where a message goes.
struct PathPlacement {
    std::uint32_t step;
    std::uint32_t path; ///< index in the PathTable

    friend bool operator==(const PathPlacement&, const PathPlacement&) = default;
};

struct PathPackingResult {
    std::vector<PathPlacement> placements; ///< by message; empty if time was over before all found a place
    std::uint32_t steps = 0;               ///< that they take
    std::uint64_t tried = 0;               ///< messages placed, again and again
    std::uint64_t unplaced = 0;            ///< messages without a place at the best moment
};

/// Packs messages, each over one of its paths, into ever fewer steps, `least` (1 or more) if it can.
///
/// First fit in the order of congestion: the message whose path leads over most of what is scarce goes
/// first, into the first step that has room on one of its paths. Messages with short paths come last and
/// fill the gaps. Then the lightest steps are dissolved, again and again, first many of them together,
/// later one by one (after Nagata and Bräysy, A powerful route minimization heuristic for the vehicle
/// routing problem with time windows, Operations Research Letters 37, 2009): their messages go where there
/// is room, otherwise where the messages in the way are cheapest; these wait for their next turn. A message
/// costs more the more scarce channels its path takes, and the more often it found no room. Meanwhile
/// messages that hold little, for which there are such, move to other free places.
///
/// Steps lie side by side: a word has a bit for each of 64 steps in which a resource is full, a vector what
/// it costs in 8 steps to make room, so that paths are compared in all steps (see price_steps()).
///
/// Messages with a place in `start` (by message; or empty) begin there as far as it is free by then.
/// Deterministic for a seed and effort; ends as well if a single step could not be dissolved for long.
/// Each message has one or more paths, none of which holds a resource more often than its capacity.
PathPackingResult pack_paths(const PathResources& resources, const PathTable& paths, std::uint32_t least,
                             const SearchControl& control,
                             std::span<const std::optional<PathPlacement>> start = {});

} // namespace nocturne
