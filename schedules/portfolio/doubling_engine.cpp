#include "schedules/portfolio/doubling_engine.hpp"

#include "schedules/sums/doubling.hpp"

#include <utility>

namespace nocturne {

bool suits_doubling(const Problem& problem)
{
    return problem.collective.kind == CollectiveKind::allreduce ||
           problem.collective.kind == CollectiveKind::scan;
}

SearchResult search_doubling(const Problem& problem, unsigned steps, const SearchControl&)
{
    std::optional<Schedule> schedule = doubling(problem);
    if (!schedule || schedule->steps.size() > steps)
        return {};
    return {Outcome::found, std::move(schedule)};
}

} // namespace nocturne
