// Looking for steps in which a path is free, or cheap to free.
#pragma once

#include "schedules/scatter/holder_table.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
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

/// Calls `visit(index)` for each of the costs, a multiple of lane_count of them, that is `price`.
template <typename Visit>
void for_each_equal(std::span<const HolderTable::Price> costs, HolderTable::Price price, Visit visit)
{
    constexpr std::uint64_t ones = 0x0001'0001'0001'0001, highest = 0x8000'8000'8000'8000;
    constexpr std::size_t together = 4;
    for (std::size_t first = 0; first < costs.size(); first += together) {
        std::uint64_t differences = 0;
        std::memcpy(&differences, &costs[first], sizeof differences);
        differences ^= price * ones;
        if (((differences - ones) & ~differences & highest) == 0)
            continue; // none is 0
        for (std::size_t index = first; index < first + together; ++index)
            if (costs[index] == price)
                visit(index);
    }
}

} // namespace nocturne
