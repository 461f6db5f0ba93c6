// GOAL text: sends, receives and what they wait for, rank by rank, as LogGOPSim simulates it (Hoefler,
// Schneider and Lumsdaine, LogGOPSim: Simulating large-scale applications in the LogGOPS model, 2010).
#pragma once

#include "schedules/chunks/chunked_schedule.hpp"

#include <cstdint>
#include <string>

namespace nocturne {

/// A transfer is a send and a receive whose tag is its index from 0; the bytes are those of its chunk.
/// A send requires the receives of its rank that bring what it passes on: those that it waits for, or
/// under steps all of the rank in earlier steps. Copies and additions within a rank are calculations of
/// 0. Paths, places and links are not said: GOAL has none. What a transfer waits for at a third rank is
/// left out.
///
/// Throws std::invalid_argument for schedules that store chunks in switches. Precondition: valid.
std::string to_goal_text(const ChunkedSchedule& schedule, std::uint64_t bytes_per_weight);

} // namespace nocturne
