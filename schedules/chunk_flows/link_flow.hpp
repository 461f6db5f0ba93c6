// How to spread what processors owe each other over the links, so that the fullest link is as empty as it can
// be.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/problem/search_end.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// What one processor owes another one: a weight of 1 or more.
struct PairDemand {
    std::uint32_t source;
    std::uint32_t receiver; ///< not the source
    std::uint64_t weight;
};

struct PathShare {
    std::vector<LinkId> path; ///< from source to receiver, no node twice
    double weight;
};

/// A multicommodity flow, and how little congestion any has (flows/least_congestion.hpp).
struct LinkFlow {
    double rounds = 0;                          ///< load of the fullest link over its units
    std::vector<std::vector<PathShare>> shares; ///< by demand, adding up to its weight; largest first
    /// By link, 0 or more: how scarce it is. How far all demands travel at least under them, over what all
    /// links carry so far in a round, is `least_rounds`; both are nothing where nobody has looked.
    std::vector<std::int64_t> lengths = {};
    double least_rounds = 0;

    /// Has no flow fewer rounds, up to the precision of floating point?
    bool is_best() const { return rounds <= least_rounds * (1 + 1e-6); }
};

/// What is tried for the sake of less congestion.
enum class FlowEffort {
    shortest, ///< shortest paths, those of equal length all alike
    least,    ///< on from these to the least congestion, or as near as counted work brings it
};

/// The multicommodity flow of least congestion. Flows from one source to several receivers are one until they
/// are taken apart into paths: at most as many paths as the source has receivers and there are links.
///
/// Nothing if a receiver cannot be reached, or the end comes before there is any flow. Precondition: no pair
/// twice, processors exist.
std::optional<LinkFlow> least_congested_flow(const LinkNetwork& network, std::span<const PairDemand> demands,
                                             FlowEffort effort = FlowEffort::least,
                                             const SearchEnd& end = {});

} // namespace nocturne
