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
/// is room, otherwise where the lightest messages are in the way; these wait for their next turn. A message
/// weighs more the more scarce channels its path takes, and the more often it found no room. Heavy ones
/// take their turn first; once that leads no further any does, and messages that are in nobody's way move
/// to other free places meanwhile.
///
/// Steps are bits, so that a path is held against 128 steps at once: a word says of each in how many places
/// the path is blocked there, from one to five. Of the steps with the fewest, some are priced by the
/// messages that hold them.
///
/// Messages with a place in `start` (by message; or empty) begin there as far as it is free by then.
/// Deterministic for a seed and effort; ends as well if dissolving single steps has failed a few times.
/// Each message has one or more paths, none of which holds a resource more often than its capacity.
PathPackingResult pack_paths(const PathResources& resources, const PathTable& paths, std::uint32_t least,
                             const SearchControl& control,
                             std::span<const std::optional<PathPlacement>> start = {});

} // namespace nocturne
