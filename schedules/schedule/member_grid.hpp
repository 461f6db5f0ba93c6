// Members of a collective at the points of a grid.
#pragma once

#include <cstdint>
#include <vector>

namespace nocturne {

/// A dimension is the set of lines along which only its coordinate changes.
struct ProcessorGrid {
    std::vector<std::uint32_t> sizes;   ///< by dimension, 2 or more each
    std::vector<std::uint32_t> members; ///< by their coordinates: that of dimension 0 changes fastest

    /// How far apart in `members` two neighbours along the dimension are.
    std::uint32_t stride(std::size_t dimension) const;
    std::uint32_t coordinate(std::uint32_t member, std::size_t dimension) const
    {
        return member / stride(dimension) % sizes[dimension];
    }
    /// The member of the same line with another coordinate.
    std::uint32_t moved(std::uint32_t member, std::size_t dimension, std::uint32_t coordinate_there) const
    {
        const std::uint32_t step = stride(dimension);
        return member - coordinate(member, dimension) * step + coordinate_there * step;
    }

    friend bool operator==(const ProcessorGrid&, const ProcessorGrid&) = default;
};

} // namespace nocturne
