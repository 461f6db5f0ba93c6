// Collectives in which every chunk goes to all: broadcast, allgather, several broadcasts at once.
#pragma once

#include "schedules/collective/collective.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

/// Every terminal that does not have a chunk is owed it.
struct SpreadToAll {
    std::vector<std::uint32_t> terminals;          ///< processors, ascending
    std::vector<std::uint64_t> weights;            ///< of what a processor contributes, by processor
    std::vector<std::vector<ChunkId>> chunks_from; ///< by processor
};

/// Of all contributions together.
std::int64_t total_weight(const SpreadToAll& spread);

/// Nothing if the collective is none, or adds.
std::optional<SpreadToAll> spread_of(const Collective& collective);

} // namespace nocturne
