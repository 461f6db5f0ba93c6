// Looking for steps in which a path is free, or cheap to free.
#pragma once

#include "schedules/scatter/holder_table.hpp"

#include <cstdint>
#include <span>

namespace nocturne {

inline constexpr std::uint32_t no_step = ~0u;

/// Is there room on all of `held` in the step?
bool is_free(const HolderTable& table, std::span<const ResourceId> held, std::uint32_t step);

/// The first step from `first` on, once around, with room on all of `held`; no_step if there is none.
std::uint32_t free_step_from(const HolderTable& table, std::span<const ResourceId> held, std::uint32_t first);

/// Writes what it costs to make room on all of `held` (in the order of the path) in the steps from `first`
/// on, both `first` and the number of `costs` multiples of lane_count, and returns the least of it. A message
/// that holds resources one behind the other counts once.
HolderTable::Price price_steps(const HolderTable& table, std::span<const ResourceId> held, std::size_t first,
                               std::span<HolderTable::Price> costs);

} // namespace nocturne
