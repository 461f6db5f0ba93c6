#include "schedules/reschedule/reschedule.hpp"

#include "models/topology/faults.hpp"
#include "models/topology/turned.hpp"
#include "schedules/bounds/lower_bounds.hpp"
#include "schedules/portfolio/engines.hpp"
#include "schedules/problem/copying_problem.hpp"
#include "schedules/reschedule/repair.hpp"
#include "schedules/reschedule/translate.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/sums/sum_schedules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nocturne {
namespace {

using Clock = std::chrono::steady_clock;

/// Steps looked at in one call of repair(): a second or so at most, and far more than a repair that succeeds
/// takes.
constexpr std::uint64_t repair_effort = 100'000;
/// Repairs that differ only in their seed, where the fewest changes count.
constexpr unsigned repairs_compared = 8;

void require_valid(const Schedule& schedule, const Topology& topology)
{
    const std::vector<Violation> violations = validate(schedule, topology);
    if (!violations.empty())
        throw std::invalid_argument(fmt::format(
            "the schedule is not valid on {}: {}{}", topology.name(), violations.front().text,
            violations.size() == 1 ? "" : fmt::format(" (and {} more)", count_violations(violations) - 1)));
}

/// Of several repairs with as many steps as `first` the one that keeps most.
Schedule fewest_changes(const Problem& problem, const TranslatedSchedule& before, Schedule first,
                        SearchControl control)
{
    const auto steps = static_cast<unsigned>(first.steps.size());
    std::size_t most_kept = compare_schedules(before, first).kept;
    for (unsigned i = 1; i < repairs_compared && !control.end.has_come(); ++i) {
        ++control.seed;
        std::optional<Schedule> other =
            repair_in_fewest_steps(problem, steps, steps, before.broken.size(), control);
        if (!other)
            continue;
        if (const std::size_t kept = compare_schedules(before, *other).kept; kept > most_kept) {
            most_kept = kept;
            first = std::move(*other);
        }
    }
    return first;
}

Schedule named(Schedule schedule, const Problem& problem, std::string source)
{
    schedule.name = describe(problem);
    schedule.source = std::move(source);
    return schedule;
}

/// What repairing alone makes of it.
std::optional<Schedule> repair_only(const Problem& problem, const TranslatedSchedule& before, unsigned least,
                                    const RescheduleOptions& options)
{
    SearchControl control;
    control.seed = options.seed;
    control.effort = repair_effort;
    control.end.deadline = Clock::now() + options.budget;
    control.start = &before.schedule;
    const std::size_t most =
        std::max<std::size_t>(before.schedule.steps.size(), least) + before.broken.size();
    std::optional<Schedule> best =
        repair_in_fewest_steps(problem, least, static_cast<unsigned>(most), before.broken.size(), control);
    if (best && options.aim == RescheduleAim::fewest_changes)
        best = fewest_changes(problem, before, std::move(*best), control);
    return best;
}

/// A short attempt of the engine `local` at the bound, beginning with what is left of the old schedule.
/// Counted effort, as much as a portfolio gives in its first rounds: where it does not lead to an end soon it
/// takes far longer than to start afresh.
std::optional<Schedule> warm_start(const Problem& problem, unsigned steps, const TranslatedSchedule& before,
                                   const RescheduleOptions& options)
{
    const Engine& local = find_engine("local");
    if (!can_try(local, problem))
        return std::nullopt;
    const std::uint64_t deliveries = 1 + problem.collective.demands.size();
    const std::uint64_t effort = std::max(local.effort_per_second * 300 / deliveries, 2 * deliveries);
    const SearchEnd end{.deadline = Clock::now() + options.budget};
    return search(local, problem, steps,
                  {.seed = options.seed, .effort = effort, .end = end, .start = &before.schedule})
        .schedule;
}

/// The engines, if they find fewer steps than `result` has.
void search_further(RescheduleResult& result, const TranslatedSchedule& before,
                    const RescheduleOptions& options)
{
    if (std::optional<Schedule> found = warm_start(result.problem, result.bound.steps, before, options)) {
        result.schedule = std::move(found);
        result.engine = "local";
        return;
    }
    PortfolioResult found = find_schedule(result.problem, {.budget = options.budget,
                                                           .seed = options.seed,
                                                           .workers = options.workers,
                                                           .on_progress = options.on_progress});
    result.signal = found.signal;
    if (found.bound().steps > result.bound.steps)
        result.bound = found.bound();
    if (!found.schedule || (result.schedule && result.schedule->steps.size() <= found.schedule->steps.size()))
        return;
    result.schedule = std::move(found.schedule);
    result.engine = std::move(found.engine);
}

/// For `rest`, what is left of `topology`.
RescheduleResult reschedule_for(Topology rest, const Schedule& schedule, const Topology& topology,
                                const RescheduleOptions& options)
{
    const Clock::time_point start = Clock::now();
    const TranslatedSchedule before = translate(schedule, topology, rest);
    RescheduleResult result{.problem = {std::move(rest), before.schedule.collective, schedule.ports,
                                        schedule.switching, schedule.slack},
                            .steps_before = schedule.steps.size(),
                            .met = before.met};
    check(result.problem);
    result.bound = lower_bound(result.problem);
    const bool is_untouched =
        before.broken.empty() && before.lost == 0 && validate(before.schedule, result.problem).empty();
    if (is_untouched) {
        result.schedule = named(before.schedule, result.problem, schedule.source);
        result.engine = "none";
    } else if (reduces(result.problem.collective)) { // one sum that is late makes others wrong
        search_further(result, before, options);
    } else {
        result.schedule = repair_only(result.problem, before, result.bound.steps, options);
        result.engine = result.schedule ? "repair" : "";
        if (!result.is_optimal() && (options.aim == RescheduleAim::fewest_steps || !result.schedule))
            search_further(result, before, options);
    }
    if (result.schedule)
        result.changes = compare_schedules(before, *result.schedule);
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return result;
}

/// The same of a schedule that adds and only copies when it is run backwards. One in which a processor sends
/// sums of a message several times does not: it would receive it as often.
RescheduleResult reschedule_backwards(Topology rest, const Schedule& schedule, const Topology& topology,
                                      const RescheduleOptions& options)
{
    const Problem before{topology, schedule.collective, schedule.ports, schedule.switching, schedule.slack};
    const Problem backwards = turned(before);
    const Schedule copying = run_backwards(schedule, backwards);
    if (!validate(copying, backwards).empty())
        return reschedule_for(std::move(rest), schedule, topology, options);
    RescheduleResult result = reschedule_for(turned(rest), copying, backwards.topology, options);
    result.problem = turned(result.problem);
    result.problem.topology = std::move(rest);
    result.bound.reason = fmt::format("run backwards: {}", result.bound.reason);
    if (result.schedule)
        result.schedule = named(run_backwards(*result.schedule, result.problem), result.problem,
                                fmt::format("{}, run backwards", result.schedule->source));
    return result;
}

} // namespace

RescheduleResult reschedule(const Schedule& schedule, const Topology& topology,
                            std::span<const std::string> faults, const RescheduleOptions& options)
{
    if (faults.empty())
        throw std::invalid_argument("nothing to re-schedule for: no fault is given");
    if (options.aim == RescheduleAim::fewest_changes)
        require_repairable(schedule.collective);
    require_valid(schedule, topology);
    Topology rest = with_faults(topology, faults);
    const bool is_turned = reduces(schedule.collective) && can_be_turned(schedule.collective);
    return is_turned ? reschedule_backwards(std::move(rest), schedule, topology, options)
                     : reschedule_for(std::move(rest), schedule, topology, options);
}

} // namespace nocturne
