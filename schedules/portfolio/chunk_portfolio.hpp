// The best schedule of chunks for what somebody wants to be short: steps, rounds a chunk, or time.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/search_end.hpp"
#include "schedules/schedule/chunk_time.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
    std::function<Collective(std::uint32_t parts)> of_parts; ///< the collective in so many parts
    std::optional<std::uint32_t> parts = std::nullopt;       ///< C; nothing: what is best
    ChunkObjective objective = ChunkObjective::steps;
    /// Of the largest vector that a processor contributes; more than 0.
    double bytes = 1024 * 1024;
    double start_cycles = 0;                  ///< AlphaBeta
    bool latency_holds_link = false;          ///< AlphaBeta, where the objective is time
    std::string engine = "auto";              ///< or just this one (engines.hpp)
    std::chrono::duration<double> budget{60}; ///< wall-clock time
    std::uint64_t seed = 1;
    /// What the network is made of, if it is: constructions for whole messages are tried, too. Must outlive
    /// the search.
    const Topology* topology = nullptr;
    const std::atomic<bool>* stop = nullptr; ///< set from elsewhere (signal, thread): give up now
    std::function<void(const SearchProgress&)> on_progress = {}; ///< before each search of an engine
};

struct ChunkFinding {
    Schedule schedule;  ///< valid
    std::string engine; ///< of the table (engines.hpp)
    AlphaBeta cost;     ///< bytes_per_weight for its number of parts
    double cycles;      ///< time_of() it
    /// What no schedule beats, each proven by its certificate: in so many parts if these were given,
    /// otherwise in any number of them.
    Bounds bounds = {};
    bool is_optimal = false; ///< at these, for the objective and number of parts
    /// By how much what the objective counts first is more than its bound: 0.25 for a quarter. None without a
    /// bound.
    std::optional<double> gap = std::nullopt;
    std::vector<std::uint32_t> parts_tried = {}; ///< ascending; empty if they were given
    EndReason end = EndReason::settled;
};

/// Every engine's schedules are compared by the objective, whatever it was made for. For steps and rounds
/// these are a front, decided exactly for as long as networks are small enough for that (front.hpp); for
/// rounds and time search_by_time(), spread_over_trees(), flows and constructions for whole messages, in
/// numbers of parts that are searched (parts_search.hpp), or in those asked for and all that divide them.
///
/// What is tried is a fixed sequence that depends on the request alone, but for its budget and flag: it ends
/// at the bound or when it is over, and where they cut it the best so far is the result, so that more time is
/// never worse. Nothing if a receiver cannot be reached, or nothing was found before the end. Throws
/// std::invalid_argument as the makers of collectives, for 0 bytes or parts, a budget of 0, and for an engine
/// that does not exist or does not suit.
std::optional<ChunkFinding> find_chunked_schedule(const LinkNetwork& network, const ChunkRequest& request);

/// What its parts cost: `bytes` are those of the largest vector.
AlphaBeta cost_of(const ChunkRequest& request, const Collective& collective);

/// The weight of the largest vector that a processor contributes, in units of chunks.
std::uint64_t largest_contribution(const Collective& collective);

} // namespace nocturne
