// Searches that put several questions to a solver, a turn after the other.
#pragma once

#include "schedules/satisfiability/encoding.hpp"
#include "schedules/satisfiability/satisfiability.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/search/engine.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <span>
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
    for (auto& [step, message, from, to, path, operation] : transfers)
        put_in_step(schedule.steps, step, {message, from, to, std::move(path), operation});
    std::erase_if(schedule.steps, [](const Step& step) { return step.empty(); });
    return schedule;
}

/// One of several questions that take turns, as which of them is easy is not known.
struct SolverQuestion {
    std::function<Encoding()> encode; ///< called when it is its turn for the first time
    bool is_whole;                    ///< about the problem itself, not one that allows less
    std::optional<Encoding> encoding = std::nullopt;
    std::optional<SolverRun> run = std::nullopt;
};

enum class TurnResult {
    go_on,
    over,    ///< the result has a schedule, or the search is spent
    refuted, ///< the problem has none
};

/// A turn of each question; those that are answered go. `limits` says of the next one what it may take, and
/// solvers begin with the transfers of `start`.
template <class Limits>
TurnResult take_turns(std::list<SolverQuestion>& questions, const Problem& problem,
                      const SearchControl& control, std::string_view engine,
                      std::span<const TimedTransfer> start, const Limits& limits, SearchResult& result)
{
    for (auto question = questions.begin(); question != questions.end();) {
        if (is_spent(control, result.tried))
            return TurnResult::over;
        SolveControl its = limits();
        if (!question->run) {
            question->encoding = question->encode();
            question->run = SolverRun(question->encoding->formula);
            its.phases = question->encoding->phases(start);
        }
        const Solution solution = question->run->run(its);
        result.tried += solution.conflicts;
        if (solution.verdict == Verdict::satisfiable) {
            result.outcome = Outcome::found;
            result.schedule = schedule_of(problem, engine, question->encoding->transfers(solution.model));
            result.unscheduled = 0;
            return TurnResult::over;
        }
        if (solution.verdict != Verdict::unsatisfiable)
            ++question;
        else if (question->is_whole) // the others ask for more
            return TurnResult::refuted;
        else
            question = questions.erase(question);
    }
    return TurnResult::go_on;
}

} // namespace nocturne
