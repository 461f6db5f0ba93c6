// Finds lower bounds on steps, rounds and time, with certificates; schedules/chunk_certificate checks them.
#pragma once

#include "schedules/chunk_certificate/chunk_claims.hpp"

#include <optional>

namespace nocturne {

/// The best cut, exactly and in polynomial time, for
/// - collectives that spread every chunk to all of a group (allgather, broadcast): the largest ratio of what
///   a set contributes to what leaves it, by Newton's iteration on the ratio, each step a maximum flow from
///   all contributors to each receiver. Schedules come as near as wanted to it where switches have as much
///   bandwidth in as out (Zhao et al., ForestColl: Throughput-optimal collective communications on
///   heterogeneous network fabrics, 2024, section 4);
/// - what these are turned round (reduce-scatter, reduce);
/// - all-reduce of a group, in which every chunk leaves every set: the least cut between two members.
/// Nothing for other collectives, or if some receiver cannot be reached.
std::optional<ChunkBound> best_cut(const LinkNetwork& network, const ChunkedCollective& collective);

/// The best lengths of links for collectives whose chunks have one contributor and one receiver (all-to-all,
/// scatter, gather), by linear programming: the multicommodity flow's dual, aggregated by source. What the
/// program says in floating point becomes integers, so that the bound may be a little less than the
/// program's. Nothing for other collectives, if some receiver cannot be reached, or beyond 100000 rows.
std::optional<ChunkBound> best_lengths(const LinkNetwork& network, const ChunkedCollective& collective);

/// The largest of these and of receptions; nothing if there is none.
std::optional<ChunkBound> best_chunk_bound(const LinkNetwork& network, const ChunkedCollective& collective);

/// What this library knows about the collective: the way to the farthest receiver in transfers, the best
/// bound on rounds, and, if there is a cost, the latest of
/// - the longest way in time;
/// - what enters or leaves a processor, or crosses the best cut;
/// - the bound on rounds.
/// Every claim is proven by its certificate; nothing is claimed if a receiver cannot be reached. There are no
/// ShapeClaims: they come from searches (schedules/chunk_search).
ChunkClaims best_chunk_claims(const LinkNetwork& network, const ChunkedCollective& collective,
                              const std::optional<AlphaBeta>& cost);

} // namespace nocturne
