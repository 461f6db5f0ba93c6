#include "schedules/portfolio/construct.hpp"

#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/one_to_all_scatter.hpp"

#include <utility>

namespace nocturne {
namespace {

/// `schedule`, if it needs no more than `steps` steps.
SearchResult within(unsigned steps, std::optional<Schedule> schedule, const Problem& problem)
{
    SearchResult result;
    result.tried = 1;
    if (schedule && schedule->steps.size() <= steps) {
        result.outcome = Outcome::found;
        result.schedule = std::move(schedule);
        return result;
    }
    result.unscheduled = count_deliveries(problem.collective);
    return result;
}

} // namespace

bool suits_construction(const Problem&)
{
    return true;
}

SearchResult search_construction(const Problem& problem, unsigned steps, const SearchControl&)
{
    return within(steps, best_construction(problem), problem);
}

bool suits_flow(const Problem& problem)
{
    return fewest_scatter_steps(problem).has_value();
}

SearchResult search_flow(const Problem& problem, unsigned steps, const SearchControl&)
{
    SearchResult result = within(steps, one_to_all_scatter(problem), problem);
    if (fewest_scatter_steps(problem) > steps)
        result.outcome = Outcome::impossible;
    return result;
}

} // namespace nocturne
