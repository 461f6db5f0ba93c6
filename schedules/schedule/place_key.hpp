// Places of memories as keys of tables.
#pragma once

#include <cstdint>

namespace nocturne {

/// A place (PlaceId) of a node as one number.
constexpr std::uint64_t place_key(std::uint32_t node, std::uint32_t place)
{
    return std::uint64_t{node} << 32 | place;
}

} // namespace nocturne
