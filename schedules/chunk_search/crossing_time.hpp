// When so much can have crossed some links, each as early as it can.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/certificate/cut_claims.hpp"
#include "schedules/schedule/chunk_time.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// Chunks of one weight cross a link one by one, or beside each other at a part of its bandwidth each, and
/// latency may hold the link, or that part. Of chunks of different weights parts of weight 1 are counted,
/// with nothing between.
struct ChunkPiece {
    std::uint64_t weight;
    bool is_whole_chunk;
};
ChunkPiece piece_of(const Collective& collective);

/// See relay_times(), of the lightest chunk, or of nothing.
std::function<double(LinkId link)> hop_of(const LinkNetwork& network, const Collective& collective,
                                          const std::optional<ChunkPiece>& piece, const AlphaBeta& cost,
                                          CountedLink counted);

/// Of many processors the first of each kind, as far as its links say: the others have mostly the same ways.
std::vector<NodeId> unlike_processors(const LinkNetwork& network);

/// When all can have crossed that a claim says, in cycles from 0; infinity if there are no links for it.
/// Without a piece it is cut as finely as may be: no cut into chunks is faster. `latencies`:
/// of the network.
double crossing_time(const LinkNetwork& network, const NetworkLatencies& latencies,
                     std::span<const LinkId> links, const std::optional<ChunkPiece>& piece,
                     const CutClaim<double>& claim, const AlphaBeta& cost);

/// The latest of what a cut says: claims_of_cut() (cut_claims.hpp), and what must cross at all.
double crossing_time(const LinkNetwork& network, const NetworkLatencies& latencies,
                     const Collective& collective, const NodeCut& cut, const std::optional<ChunkPiece>& piece,
                     const AlphaBeta& cost);

/// When what has crossed can be that weight, counted on each link as often as its length says and cut as
/// finely as may be. `lengths`: by link. In cycles from 0.
double streaming_time(const LinkNetwork& network, const NetworkLatencies& latencies,
                      std::span<const std::uint64_t> lengths, double weight, const AlphaBeta& cost);

/// A processor whose links take longest for what it is owed, or for what it contributes.
struct PortTime {
    double cycles = 0;
    NodeId node = 0;
    bool enters = true; ///< what it is owed
};

/// No schedule of the collective, in such pieces, ends earlier. In cycles.
PortTime port_time_bound(const LinkNetwork& network, const Collective& collective,
                         const std::optional<ChunkPiece>& piece, const AlphaBeta& cost);

} // namespace nocturne
