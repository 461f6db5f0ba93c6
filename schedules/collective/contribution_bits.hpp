// Which contributions are in a sum.
#pragma once

#include "schedules/collective/collective.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

/// The contributions to a chunk that are in a sum, a bit each by index in Chunk::contributors.
using ContributionBits = std::vector<std::uint64_t>;

/// The index of the first contribution that is in both; nothing if they are disjoint.
std::optional<std::size_t> first_common(const ContributionBits& a, const ContributionBits& b);
/// The index of the first contribution that is in a and not in b.
std::optional<std::size_t> first_beyond(const ContributionBits& a, const ContributionBits& b);
ContributionBits united(const ContributionBits& a, const ContributionBits& b);
/// The bits of `contributors`, which are among the chunk's.
ContributionBits bits_of(const Chunk& chunk, const std::vector<std::uint32_t>& contributors);

} // namespace nocturne
