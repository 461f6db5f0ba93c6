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
    double rounds = 0; ///< load of the fullest link over its units
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
    even,     ///< those, and on from them until the congestion is some thousandths from the least
};

/// Nothing if a receiver cannot be reached, or the end comes before there is anything. Precondition: no pair
/// twice, processors exist.
std::optional<LinkFlow> even_flow(const LinkNetwork& network, std::span<const PairDemand> demands,
                                  FlowEffort effort = FlowEffort::even, const SearchEnd& end = {});

/// The flow of least congestion, and among those over such paths one of least length, where a link of b units
/// is 1/b long: a demand for each link at most goes over more than one path. Begins with the paths and the
/// lengths of `flow`, which even_flow() has found. Nothing if there are more than most_exact_demands, or the
/// end comes first.
std::optional<LinkFlow> least_congested_flow(const LinkNetwork& network, std::span<const PairDemand> demands,
                                             const LinkFlow& flow, const SearchEnd& end = {});

inline constexpr std::size_t most_exact_demands = 10'000;

} // namespace nocturne
