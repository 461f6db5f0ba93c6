// Searches that put several questions to a solver, a turn after the other.
#pragma once

#include "schedules/satisfiability/encoding.hpp"
#include "schedules/satisfiability/satisfiability.hpp"
#include "schedules/schedule/empty_schedule.hpp"
#include "schedules/search/engine.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {

/// Is it over, after so many conflicts?
inline bool is_spent(const SearchControl& control, std::uint64_t tried)
{
    return control.end.has_come() || (control.effort > 0 && tried >= control.effort);
}

/// For at most `turn` conflicts more than have been `tried`; 0 = as many as the effort allows. `progress`:
/// what is told beside the conflicts.
inline SolveControl solver_turn(const SearchControl& control, SearchProgress progress, std::uint64_t tried,
                                std::uint64_t turn)
{
    SolveControl its{.conflicts = turn, .end = control.end};
    if (control.effort > 0)
        its.conflicts = turn == 0 ? control.effort - tried : std::min(turn, control.effort - tried);
    if (control.on_progress)
        its.on_progress = [&control, progress, tried](std::uint64_t conflicts) mutable {
            progress.tried = tried + conflicts;
            control.on_progress(progress);
        };
    return its;
}

/// The steps of these transfers, without empty ones.
inline Schedule schedule_of(const Problem& problem, std::string_view source,
                            std::vector<TimedTransfer> transfers)
{
    Schedule schedule = empty_schedule(problem, source);
    for (auto& [step, message, from, to, path, operation] : transfers) {
        schedule.steps.resize(std::max<std::size_t>(schedule.steps.size(), step + 1));
        schedule.steps[step].emplace_back(message, from, to, std::move(path), operation);
    }
    std::erase_if(schedule.steps, [](const Step& step) { return step.empty(); });
    return schedule;
}

} // namespace nocturne
