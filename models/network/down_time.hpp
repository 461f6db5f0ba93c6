// When a part of a network is down.
#pragma once

#include <cstdint>
#include <limits>

namespace nocturne {

/// The cycles from <= c < until in which a part is down.
struct DownTime {
    static constexpr std::uint64_t for_good = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t from = 0;
    std::uint64_t until = for_good;
};

} // namespace nocturne
