// A flow of nearly the least congestion, on networks that are too large for a linear program.
#pragma once

#include "schedules/chunk_flows/link_flow.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

struct PricedFlow {
    LinkFlow flow;
    /// By link, 0 or more: how scarce it is. How far all demands travel at least under them, over what all
    /// links carry so far in a round, is `least_rounds`.
    std::vector<double> lengths;
    /// No flow takes fewer rounds, up to the precision of floating point: a bound on how far `flow` is from
    /// the least congestion.
    double least_rounds = 0;
};

/// Multiplicative weights (Garg and Könemann, Faster and simpler algorithms for multicommodity flow and other
/// fractional packing problems, FOCS 1998): source by source all that it owes goes over shortest paths, and
/// links become longer the more they carry. The flow is the mean of the last rounds. Ends where flow and
/// lengths meet, after so many rounds (1 or more), or so much work (counted, not timed), or at the end.
/// Nothing if a receiver cannot be reached, or the end comes before the first round is over. Precondition: no
/// pair twice, processors exist.
std::optional<PricedFlow> nearly_least_congested_flow(const LinkNetwork& network,
                                                      std::span<const PairDemand> demands,
                                                      std::uint64_t most_rounds = 60,
                                                      const SearchEnd& end = {});

} // namespace nocturne
