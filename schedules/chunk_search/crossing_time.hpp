// When so much can have crossed some links, each as early as it can.
#pragma once

#include "schedules/schedule/chunk_time.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace nocturne {

/// Chunks of one weight cross a link one by one, or beside each other at a part of its bandwidth each, and
/// latency may hold the link, or that part. Of chunks of
/// different weights parts of weight 1 are counted, with nothing between.
struct ChunkPiece {
    std::uint64_t weight;
    bool is_whole_chunk;
};
ChunkPiece piece_of(const Collective& collective);

/// In cycles from 0; infinity if there are no links for the pieces that there are. Without a piece so much
/// weight crosses, cut as finely as may be: no cut into chunks is faster.
double crossing_time(const LinkNetwork& network, std::span<const LinkId> links,
                     const std::optional<ChunkPiece>& piece, std::uint64_t pieces, const AlphaBeta& cost);

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
