// Looking for steps in which a path is free, or blocked in few places.
#pragma once

#include "schedules/scatter/holder_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

inline constexpr std::uint32_t no_step = ~0u;

/// Is there room on all of `held` in the step?
bool is_free(const HolderTable& table, std::span<const ResourceId> held, std::uint32_t step);

/// The first step with room on all of `held`, if it is in a block that begins before `before`, and no_step
/// otherwise: it may be behind the last step if all others are full.
std::uint32_t first_free_step(const HolderTable& table, std::span<const ResourceId> held,
                              std::uint32_t before);

/// The first step of block `first`, or of one behind it, once around, with room on all of `held`; no_step if
/// there is none.
std::uint32_t free_step_from(const HolderTable& table, std::span<const ResourceId> held, std::uint32_t first);

/// Places in the way of a path that are told apart, from 1 on.
inline constexpr std::size_t most_blocked = 5;

/// The steps in which the paths of a message are blocked in exactly 1, 2, ... places.
struct BlockedSteps {
    std::vector<std::uint64_t> steps;                ///< by number of places - 1, path and word of 64 steps
    std::array<std::uint64_t, most_blocked> count{}; ///< by number of places - 1: paths and steps

    /// Makes room for so many paths, of which nothing is known.
    void clear(const HolderTable& table, std::size_t paths);
    /// Each path of a message once; it holds `held`.
    void add(const HolderTable& table, std::span<const ResourceId> held, std::size_t path);
};

} // namespace nocturne
