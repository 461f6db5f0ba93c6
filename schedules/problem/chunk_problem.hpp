// What engines solve where memories send to each other: a collective in chunks, over links of their own
// speed, and what is to be short.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/collective/alpha_beta.hpp"
#include "schedules/collective/collective.hpp"

#include <cstdint>
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

struct ChunkProblem {
    LinkNetwork network;
    Collective collective;                             ///< in one part
    std::optional<std::uint32_t> parts = std::nullopt; ///< C that it is cut into; nothing: what is best
    ChunkObjective objective = ChunkObjective::steps;
    double bytes = 1024 * 1024; ///< of the largest vector that a processor contributes; more than 0
    /// AlphaBeta. A simulation has one of its own, HardwareConfig::t0_ns, by default 1000: for replay() to
    /// take the time that was searched for, it must be start_cycles * cycle_ns.
    double start_cycles = 0;
    bool latency_holds_link = false; ///< AlphaBeta, where time counts
    /// What the network is made of, if it is: constructions for whole messages are tried, too.
    std::optional<Topology> topology = std::nullopt;
};

/// Throws std::invalid_argument, one line, for a collective for another number of processors, and 0 bytes or
/// parts.
void check(const ChunkProblem& problem);

/// `AAB in 2 chunks on ring:5, memory-to-memory, for bandwidth`: how messages name it.
std::string describe(const ChunkProblem& problem);
/// Of a collective that is cut into parts: without what is to be short, or with it.
std::string describe_chunks(const Collective& collective, std::string_view network,
                            std::optional<ChunkObjective> objective = std::nullopt);

/// What its schedules are made for; the network's clock is not known.
MadeFor setting_of(const ChunkProblem& problem);

/// What the chunks of its collective, cut into some number of parts, cost.
AlphaBeta cost_of(const ChunkProblem& problem, const Collective& collective);

/// The weight of the largest vector that a processor contributes, in units of chunks.
std::uint64_t largest_contribution(const Collective& collective);

} // namespace nocturne
