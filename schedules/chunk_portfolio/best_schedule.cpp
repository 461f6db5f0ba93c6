#include "schedules/chunk_portfolio/best_schedule.hpp"

#include "schedules/chunk_search/reshaping.hpp"

#include <cmath>
#include <limits>
#include <utility>

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

bool BestSchedule::offer(ChunkedSchedule schedule, std::string_view engine)
{
    const std::uint32_t parts = schedule.collective.parts;
    if (request_.parts && *request_.parts != parts) {
        if (*request_.parts % parts != 0)
            return false;
        schedule = in_more_parts(schedule, request_.of_parts(*request_.parts), *request_.parts / parts);
    }
    if (request_.objective == ChunkObjective::time || schedule.synchronization == ChunkSynchronization::steps)
        return keep(std::move(schedule), engine);
    const bool few_steps = keep(in_steps(schedule, network_, StepPacking::fewest_steps), engine);
    return keep(in_steps(schedule, network_, StepPacking::fewest_rounds), engine) || few_steps;
}

double BestSchedule::value() const
{
    return is_empty() ? std::numeric_limits<double>::infinity() : score_.front();
}

bool BestSchedule::keep(ChunkedSchedule schedule, std::string_view engine)
{
    const ChunkScore score = score_of(schedule);
    if (!is_empty() && score >= score_)
        return false;
    schedule_ = std::move(schedule);
    engine_ = engine;
    score_ = score;
    return true;
}

ChunkScore BestSchedule::score_of(const ChunkedSchedule& schedule) const
{
    const double cycles =
        without_last_digits(time_of(schedule, network_, cost_of(request_, schedule.collective)));
    const double parts = schedule.collective.parts;
    if (request_.objective == ChunkObjective::time)
        return {cycles, parts, static_cast<double>(schedule.transfers.size()), 0};
    const double steps = count_steps(schedule);
    const double rounds = static_cast<double>(count_rounds(schedule)) / parts;
    if (request_.objective == ChunkObjective::steps)
        return {steps, rounds, cycles, parts};
    return {rounds, steps, cycles, parts};
}

} // namespace nocturne
