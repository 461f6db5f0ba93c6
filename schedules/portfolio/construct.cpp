#include "schedules/portfolio/construct.hpp"

#include "schedules/bounds/flow_bound.hpp"
#include "schedules/bounds/port_bound.hpp"
#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/one_to_all_scatter.hpp"

#include <algorithm>
#include <chrono>
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
    result.unscheduled = problem.collective.demands.size();
    return result;
}

/// As far as is seen at once: by ports, and by the channels of the network, or those in its middle.
bool is_shortest(const Schedule& schedule, const Problem& problem)
{
    constexpr auto at_once = std::chrono::steady_clock::time_point::min();
    const std::optional<Bound> flow = flow_bound(problem, at_once);
    return schedule.steps.size() <= std::max(port_bound(problem).steps, flow ? flow->steps : 0);
}

} // namespace

bool suits_construction(const Problem&)
{
    return true;
}

SearchResult search_construction(const Problem& problem, unsigned steps, const SearchControl&)
{
    return within(
        steps,
        best_construction(problem, [&](const Schedule& schedule) { return is_shortest(schedule, problem); }),
        problem);
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
