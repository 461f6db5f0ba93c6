// What must cross links, whatever the schedule: cuts, lengths and receptions as one form.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/collective/collective.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace nocturne {

/// Crossings of a chunk that no way leads to a receiver.
inline constexpr std::uint64_t no_crossing = std::numeric_limits<std::uint64_t>::max();

/// In every schedule the lengths of the links that a chunk crosses, each as often as it does, sum up to its
/// crossings or more.
struct LinkNeed {
    std::vector<std::uint64_t> lengths = {}; ///< by link; of a cut, and of receptions, 1 for those that count
    std::vector<std::uint64_t> crossings = {}; ///< by chunk
};

/// What a cut, lengths or receptions say; see proven_rounds() (check_bound.hpp). Throws
/// std::invalid_argument, one line, for other certificates, nodes that do not exist, and lengths of the wrong
/// number.
LinkNeed link_need(const Certificate& certificate, const LinkNetwork& network, const Collective& collective);

} // namespace nocturne
