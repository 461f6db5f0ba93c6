// A link of a designed network.
#pragma once

#include <compare>
#include <cstdint>

namespace nocturne::design {

/// Between two nodes; a one-way link leads from `a` to `b`.
struct LinkEnds {
    std::uint32_t a;
    std::uint32_t b;

    friend bool operator==(const LinkEnds&, const LinkEnds&) = default;
    friend auto operator<=>(const LinkEnds&, const LinkEnds&) = default;
};

} // namespace nocturne::design
