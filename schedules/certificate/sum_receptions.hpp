// How often processors must receive so that sums are made and spread.
#pragma once

#include "schedules/problem/problem.hpp"

#include <cstdint>

namespace nocturne {

/// Until the contributions of K processors are one sum, K - 1 sums have been received, and then all but one
/// of the receivers still receive (Patarasu and Yuan, Bandwidth optimal all-reduce algorithms for clusters of
/// workstations, JPDC 69, 2009).
struct SumReceptions {
    std::uint64_t receptions = 0; ///< of all chunks all of whose demands are for all contributions
    std::uint64_t ports = 0;      ///< as many are in a step at most: what all send, or all receive
    /// The fewest steps; 0 if nothing follows.
    std::uint64_t steps() const { return ports == 0 ? 0 : (receptions + ports - 1) / ports; }
};

SumReceptions sum_receptions(const Problem& problem);

/// The receptions of one chunk; 0 if some demand is for a part of the contributions. What a receiver is owed
/// of its own is there.
std::uint64_t receptions_of(const Collective& collective, ChunkId chunk);

} // namespace nocturne
