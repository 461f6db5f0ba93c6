// What no schedule of a collective in chunks beats in steps, rounds and time, each with what lets a checker
// confirm it. Nothing of a search is in it.
#pragma once

#include "schedules/chunk_certificate/chunk_bound.hpp"
#include "schedules/chunk_formula/rounds_formula.hpp"
#include "schedules/collective/alpha_beta.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nocturne {

/// A contribution of `from` is owed to `to`, which is so many transfers away: a transfer leads over a link,
/// or several with plain switches between.
struct StepClaim {
    std::uint32_t steps;
    std::uint32_t from; ///< processor
    std::uint32_t to;   ///< processor

    friend bool operator==(const StepClaim&, const StepClaim&) = default;
};

/// There is no schedule of so few steps and rounds.
struct ShapeClaim {
    StepsAndRounds shape{1, 1};
    /// DRAT for step_formula(), without orbits. If something is added, and each sum has one receiver: for
    /// that of the reversed collective, on the network with every link turned round and switches that do not
    /// copy.
    std::string proof;

    friend bool operator==(const ShapeClaim&, const ShapeClaim&) = default;
};

enum class TimeClaimKind {
    reach,    ///< how long a contribution is on its way at least
    crossing, ///< when all that must leave a set of nodes can have come over its links
    rounds,   ///< a bound on rounds, times the time of a round
};

/// No schedule, with or without barriers, ends earlier at such costs.
struct TimeClaim {
    TimeClaimKind kind = TimeClaimKind::reach;
    double cycles = 0;
    AlphaBeta cost = {};
    /// Not only for the collective's own parts, but for blocks that are cut into any number of them.
    bool holds_for_any_parts = false;
    std::uint32_t from = 0;                          ///< of reach: as in StepClaim
    std::uint32_t to = 0;                            ///< of reach
    std::vector<NodeId> cut = {};                    ///< of crossing: the set, ascending
    std::optional<ChunkBound> rounds = std::nullopt; ///< of rounds

    friend bool operator==(const TimeClaim&, const TimeClaim&) = default;
};

/// Any of these may be missing.
struct ChunkClaims {
    std::optional<StepClaim> steps = std::nullopt;
    std::optional<ChunkBound> rounds = std::nullopt;
    std::vector<ShapeClaim> shapes = {};
    std::optional<TimeClaim> time = std::nullopt;

    bool empty() const { return !steps && !rounds && shapes.empty() && !time; }

    friend bool operator==(const ChunkClaims&, const ChunkClaims&) = default;
};

// Why the claim is not proven by its certificate, in one line; nothing if it is. Times are compared as exact
// rational numbers.

std::optional<std::string> refute(const StepClaim& claim, const LinkNetwork& network,
                                  const Collective& collective);
/// Also refutes claims about collectives in which a sum has several receivers: the formula says nothing of
/// them.
std::optional<std::string> refute(const ShapeClaim& claim, const LinkNetwork& network,
                                  const Collective& collective);
/// - reach: the latencies of the shortest way, the start-up of one transfer and what the heaviest such chunk
///   takes to stream onto the first link; for any parts nothing, as it may be cut ever more finely.
/// - crossing: chunks of one weight end on a link one by one, the first when latency and start-up are over
///   and it has streamed. Of different weights, pieces of weight 1 do, with neither between them. For any
///   parts all that crosses streams from latency and start-up on. Chunks cross as often as least_crossings()
///   says (crossings.hpp).
/// - rounds: a round is what a chunk of weight 1 takes on a link of one unit.
std::optional<std::string> refute(const TimeClaim& claim, const LinkNetwork& network,
                                  const Collective& collective);

/// Of all that are there; empty if all are proven.
std::vector<std::string> refutations(const ChunkClaims& claims, const LinkNetwork& network,
                                     const Collective& collective);

/// For people: what it is that cannot be beaten, as `what must leave {0, 1}`.
std::string describe(const StepClaim& claim, const LinkNetwork& network);
std::string describe(const TimeClaim& claim, const LinkNetwork& network);

std::string_view to_string(TimeClaimKind kind);

} // namespace nocturne
