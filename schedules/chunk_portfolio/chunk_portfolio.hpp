// The best schedule of chunks for what somebody wants to be short: steps, rounds a chunk, or time.
#pragma once

#include "schedules/chunk_certificate/chunk_claims.hpp"
#include "schedules/chunks/chunk_time.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace nocturne {

enum class ChunkObjective {
    steps,     ///< the fewest S, then the fewest R/C
    bandwidth, ///< the least R/C, then the fewest S
    time,      ///< the earliest end, without barriers
};

/// `steps`, `bandwidth`, `time`; parsing throws std::invalid_argument for anything else.
std::string_view to_string(ChunkObjective objective);
ChunkObjective parse_chunk_objective(std::string_view text);

struct ChunkRequest {
    std::function<ChunkedCollective(std::uint32_t parts)> of_parts; ///< the collective in so many parts
    std::optional<std::uint32_t> parts = std::nullopt;              ///< C; nothing: what is best
    ChunkObjective objective = ChunkObjective::steps;
    /// Of the largest vector that a processor contributes; more than 0.
    double bytes = 1024 * 1024;
    double start_cycles = 0;         ///< AlphaBeta
    bool latency_holds_link = false; ///< AlphaBeta
    double seconds = 60;             ///< wall-clock
    std::uint64_t seed = 1;
};

struct ChunkFinding {
    ChunkedSchedule schedule; ///< valid
    std::string engine;       ///< `exact`, `time`, `trees` or `flow`
    AlphaBeta cost;           ///< bytes_per_weight for its number of parts
    double cycles;            ///< time_of() it
    ChunkClaims claims = {};  ///< what no schedule in so many chunks beats, each proven by its certificate
    bool is_optimal = false;  ///< at these, for the objective and number of parts
};

/// The schedule in steps is looked for exactly, for as long as networks are small enough for that; what is
/// not found so, and any schedule for `time`, is what search_by_time(), spread_over_trees() or
/// schedule_flow() finds, whichever takes less time. So is one for `bandwidth` where the steps have rounds
/// that are more than a tenth over the bound, if it takes less time than they do. Nothing if a receiver
/// cannot be reached. Throws std::invalid_argument as the makers of collectives, and for 0 bytes, parts or
/// seconds.
std::optional<ChunkFinding> find_chunked_schedule(const LinkNetwork& network, const ChunkRequest& request);

/// What its parts cost: `bytes` are those of the largest vector.
AlphaBeta cost_of(const ChunkRequest& request, const ChunkedCollective& collective);

/// The weight of the largest vector that a processor contributes, in units of chunks.
std::uint64_t largest_contribution(const ChunkedCollective& collective);

} // namespace nocturne
