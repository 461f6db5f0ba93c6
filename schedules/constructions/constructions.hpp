// Constructions: schedules with a proof that they are right, made without a search.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace nocturne {

/// One way to construct schedules. It applies to some problems only, and reads off the channels whether it
/// does: names and shapes prove nothing, as networks have faults.
struct Construction {
    std::string_view name;
    /// A valid schedule, or nothing if the construction does not apply. The problem passes check().
    std::optional<Schedule> (*construct)(const Problem& problem);
};

/// All of them.
std::span<const Construction> constructions();

/// The schedule with the fewest steps among those of all constructions, the first of equals; nothing if none
/// applies. First fit, which takes longer than all others together, comes last, and not at all if the best of
/// the others `is_shortest`.
std::optional<Schedule>
best_construction(const Problem& problem,
                  const std::function<bool(const Schedule& schedule)>& is_shortest = {});

} // namespace nocturne
