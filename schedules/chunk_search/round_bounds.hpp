// What no schedule in steps can beat: quick bounds, for the exact searches to begin and end with.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/collective/collective.hpp"

#include <cstdint>
#include <optional>

namespace nocturne {

/// Transfers from the contributors to the receivers that are farthest from them; nothing if some receiver
/// cannot be reached.
std::optional<std::uint32_t> least_steps(const LinkNetwork& network, const Collective& collective);

/// Weight over units of bandwidth: a number of rounds, exactly.
struct RoundRatio {
    std::uint64_t weight = 0;
    std::uint64_t units = 1; ///< 0: no number of rounds is enough

    friend bool operator<(const RoundRatio& a, const RoundRatio& b);
};

/// The larger of two bounds on the rounds R of all steps together:
/// - Cuts. What is owed inside a set of nodes and contributed outside must enter it. All sets are tried in
///   networks of up to 16 nodes, else single nodes and all but single ones.
/// - Receptions. Until the contributions of K processors are one sum, K - 1 sums have been received, and then
///   all but one of the receivers still receive (Patarasu and Yuan, Bandwidth optimal all-reduce algorithms
///   for clusters of workstations, JPDC 69, 2009): for all-reduce 2(n - 1) receptions a chunk. Where
///   demands are for parts of the contributions this is left out.
///
/// C parts need C times as much as one: divided by C, the ratio bounds R/C for any C.
RoundRatio least_round_ratio(const LinkNetwork& network, const Collective& collective);

/// The ratio, rounded up. The largest number there is if no number of rounds is enough.
std::uint64_t least_rounds(const LinkNetwork& network, const Collective& collective);

} // namespace nocturne
