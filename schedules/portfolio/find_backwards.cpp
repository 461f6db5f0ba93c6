#include "schedules/portfolio/find_backwards.hpp"

#include "schedules/problem/copying_problem.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/sums/sum_schedules.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace nocturne {

PortfolioResult find_backwards(const Problem& problem, const PortfolioOptions& options)
{
    const Problem backwards = turned(problem);
    PortfolioOptions search = options;
    if (search.start && is_complete(*search.start))
        search.start = run_backwards(*search.start, backwards);
    PortfolioResult result = find_schedule(backwards, search);
    result.bounds.steps->reason = fmt::format("run backwards: {}", result.bound().reason);
    if (!result.schedule)
        return result;
    const std::string source = result.schedule->source;
    result.schedule = run_backwards(*result.schedule, problem);
    result.schedule->name = describe(problem);
    result.schedule->source = fmt::format("{}, run backwards", source);
    if (const auto objection = objection_to(*result.schedule, problem))
        throw std::logic_error(
            fmt::format("{} run backwards is an invalid schedule: {}", result.engine, *objection));
    return result;
}

} // namespace nocturne
