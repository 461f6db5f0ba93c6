// From flows to one path for each chunk.
#pragma once

#include "schedules/chunk_flows/link_flow.hpp"
#include "schedules/collective/collective.hpp"

#include <optional>
#include <vector>

namespace nocturne {

using LinkPath = std::vector<LinkId>;

/// Who owes whom, and in which chunks.
struct OwedPairs {
    std::vector<PairDemand> demands;
    std::vector<std::vector<ChunkId>> chunks; ///< by demand
};

/// Nothing unless every chunk that is owed goes from one processor to one other.
std::optional<OwedPairs> owed_pairs(const Collective& collective);

/// The same flow where everybody owes everybody so many times as much.
LinkFlow scaled(LinkFlow flow, std::uint32_t factor);

/// A path for each chunk, empty for those that are not owed: shares are dealt out in whole chunks, then
/// chunks move to other paths of their pair for as long as that takes load from full links, up to so much
/// work (counted, not timed). `flow` is that of owed.demands.
std::vector<LinkPath> round_to_paths(const LinkNetwork& network, const Collective& collective,
                                     const OwedPairs& owed, const LinkFlow& flow);

} // namespace nocturne
