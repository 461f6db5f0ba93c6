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

struct LinkFlow {
    /// Load of the fullest link over its units: no schedule takes fewer rounds, up to the precision of
    /// floating point.
    double rounds;
    std::vector<std::vector<PathShare>> shares; ///< by demand, adding up to its weight; largest first
};

/// The multicommodity flow of least congestion (Shahrokhi and Matula, The maximum concurrent flow problem,
/// JACM 37, 1990) and among those one of least length, where a link of b units is 1/b long. A linear program
/// over source and link: flows from one source to several receivers are one until they are taken apart into
/// paths.
///
/// Nothing if a receiver cannot be reached, the program has more than max_flow_rows rows, or the end comes
/// first. Precondition: no pair twice, processors exist.
std::optional<LinkFlow> least_congested_flow(const LinkNetwork& network, std::span<const PairDemand> demands,
                                             const SearchEnd& end = {});

inline constexpr std::size_t max_flow_rows = 20000;

} // namespace nocturne
