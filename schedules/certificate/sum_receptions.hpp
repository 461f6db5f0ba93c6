// How often processors must receive so that sums are made and spread, and how fast sums grow that all
// processors need whole.
#pragma once

#include "schedules/problem/problem.hpp"

#include <cstdint>
#include <span>

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
/// of its own is there. `box_of`: by processor, where some count as one; empty: each counts for itself.
std::uint64_t receptions_of(const Collective& collective, ChunkId chunk,
                            std::span<const std::uint32_t> box_of = {});

/// The fewest steps in which all processors have the sum of all their contributions to a chunk, if they have
/// one port each and some chunk asks for that (all-reduce); otherwise 0. What a processor has of a chunk is
/// one sum, whose contributions at best double in each step: n of them take at least T = ceil(log2 n) steps.
/// After T - 1 none has all n, so that in a schedule of T steps each processor adds in the last one what
/// another has and it lacks: the complement of what it has. As each sends once, sums and their complements
/// are equally many, and n is even. Where it is odd, T + 1 steps are needed.
unsigned steps_of_sum_growth(const Problem& problem);

} // namespace nocturne
