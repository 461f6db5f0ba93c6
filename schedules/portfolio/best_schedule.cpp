#include "schedules/portfolio/best_schedule.hpp"

#include "schedules/chunk_search/reshaping.hpp"
#include "schedules/chunk_search/tree_all_reduce.hpp"
#include "schedules/schedule/start_order.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/search/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace nocturne {
namespace {

/// Sums of the same times in another order differ by rounding, and shall not decide.
double without_last_digits(double value)
{
    constexpr double kept = 1ULL << 36;
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return std::ldexp(std::round(fraction * kept) / kept, exponent);
}

} // namespace

bool BestSchedule::offer(Schedule schedule, std::string_view engine)
{
    if (asked_ != "auto" && asked_ != engine && engine != of_start)
        return false;
    const std::uint32_t parts = schedule.collective.parts;
    if (problem_.parts && *problem_.parts != parts) {
        if (*problem_.parts % parts != 0)
            return false;
        schedule = in_more_parts(schedule, *problem_.parts / parts);
    }
    if (problem_.objective == ChunkObjective::time && is_in_steps(schedule))
        return keep_without_barriers(schedule, engine);
    if (problem_.objective == ChunkObjective::time || is_in_steps(schedule))
        return keep(std::move(schedule), engine);
    const bool counts_steps = problem_.objective == ChunkObjective::steps;
    const auto first = counts_steps ? StepPacking::fewest_steps : StepPacking::fewest_rounds;
    const auto second = counts_steps ? StepPacking::fewest_rounds : StepPacking::fewest_steps;
    const bool is_kept = keep(in_steps(schedule, problem_.network, first), engine);
    if (!is_empty() && end_.has_come())
        return is_kept;
    return keep(in_steps(schedule, problem_.network, second), engine) || is_kept;
}

bool BestSchedule::keep_without_barriers(const Schedule& schedule, std::string_view engine)
{
    Schedule free = in_order_of_starts(trees_without_barriers(schedule), problem_.network,
                                       cost_of(problem_, schedule.collective));
    // What is exchanged, read and added to in one step, needs the barrier, and so may places that somebody
    // uses twice. Copies of engines need none.
    if ((adds(free) || engine == of_start) && !validate(free, problem_.network).empty())
        return false;
    return keep(std::move(free), engine);
}

double BestSchedule::value() const
{
    return is_empty() ? std::numeric_limits<double>::infinity() : score_.front();
}

bool BestSchedule::keep(Schedule schedule, std::string_view engine)
{
    const double cycles = time_of(schedule, problem_.network, cost_of(problem_, schedule.collective));
    const ChunkScore score = score_of(schedule, cycles);
    if (!is_empty() && score >= score_)
        return false;
    const bool has_deadline = deadline_ != SearchEnd::Clock::time_point::max();
    if (!is_empty() && has_deadline && SearchEnd::Clock::now() + time_to_judge(schedule) > deadline_)
        return false;
    if (accepts_ && !accepts_(schedule))
        return false;
    ++times_bettered_;
    schedule_ = std::move(schedule);
    engine_ = engine;
    score_ = score;
    cycles_ = cycles;
    is_judged_ = false;
    // All that are judged early take together a third of what the largest takes.
    constexpr std::size_t growth = 4;
    if (is_judging_ && count_transfers(schedule_) >= growth * most_judged_)
        judge();
    if (has_deadline) // also if it is judged: what betters it is seldom smaller
        end_.deadline = deadline_ - time_to_judge(schedule_);
    return true;
}

void BestSchedule::judge()
{
    if (std::exchange(is_judged_, true))
        return;
    const auto begin = SearchEnd::Clock::now();
    if (const auto violations = validate(schedule_, problem_.network); !violations.empty())
        throw std::logic_error(
            fmt::format("engine {} returned an invalid schedule: {}", engine_, violations.front().text));
    if (count_transfers(schedule_) > most_judged_) {
        most_judged_ = count_transfers(schedule_);
        judged_seconds_ = std::chrono::duration<double>(SearchEnd::Clock::now() - begin).count();
    }
}

SearchEnd::Clock::duration BestSchedule::time_to_judge(const Schedule& schedule) const
{
    constexpr double reserve = 1.25; // memory is slower the more of it there is
    if (most_judged_ == 0)
        return {};
    const double share = static_cast<double>(count_transfers(schedule)) / static_cast<double>(most_judged_);
    return std::chrono::duration_cast<SearchEnd::Clock::duration>(
        std::chrono::duration<double>(reserve * share * judged_seconds_));
}

ChunkScore BestSchedule::score_of(const Schedule& schedule, double cycles) const
{
    cycles = without_last_digits(cycles);
    const double parts = schedule.collective.parts;
    if (problem_.objective == ChunkObjective::time)
        return {cycles, parts, static_cast<double>(count_transfers(schedule)), 0};
    const double steps = count_steps(schedule);
    const double rounds = static_cast<double>(count_rounds(schedule)) / parts;
    if (problem_.objective == ChunkObjective::steps)
        return {steps, rounds, cycles, parts};
    return {rounds, steps, cycles, parts};
}

} // namespace nocturne
