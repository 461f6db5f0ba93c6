// GOAL text: sends, receives and what they wait for, rank by rank, as LogGOPSim simulates it (Hoefler,
// Schneider and Lumsdaine, LogGOPSim: Simulating large-scale applications in the LogGOPS model, 2010).
#pragma once

#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <string>

namespace nocturne {

/// Of rank_operations(): the tag is the transfer's index from 0. Copies and additions within a rank are
/// calculations of 0. Paths, places and links are not said: GOAL has none.
///
/// Throws std::invalid_argument for schedules that store chunks in switches. Precondition: valid.
std::string to_goal_text(const Schedule& schedule, std::uint64_t bytes_per_weight);

} // namespace nocturne
