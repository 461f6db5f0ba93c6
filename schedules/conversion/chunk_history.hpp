// A chunked schedule as deliveries from processor to processor, and what each of them carries.
#pragma once

#include "schedules/collective/contribution_bits.hpp"
#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace nocturne {

/// Stands among the parts of a sum for the processor's own contribution.
inline constexpr std::uint32_t own_part = ~0u;

/// What is in a place of a processor. Copies share their lists.
struct HeldChunk {
    ChunkId chunk = 0;
    /// Of which deliveries it is made, ascending, own_part last.
    std::shared_ptr<const std::vector<std::uint32_t>> parts;
    std::shared_ptr<const ContributionBits> contributions;
};

/// What a processor sends comes to another: over one transfer, or over several from one copying switch to the
/// next.
struct ChunkDelivery {
    NodeId source; ///< as the destination, a processor
    NodeId destination;
    std::vector<LinkId> path;
    HeldChunk carried;
};

struct ChunkHistory {
    std::vector<ChunkDelivery> deliveries;
    std::vector<std::uint32_t> order; ///< in which the deliveries read what they carry
    std::vector<HeldChunk> results;   ///< by demand
};

/// Of a valid schedule.
ChunkHistory history_of(const Schedule& schedule, const LinkNetwork& network);

} // namespace nocturne
