#include "schedules/portfolio/local.hpp"

#include "schedules/broadcast/local_broadcast.hpp"
#include "schedules/broadcast/one_to_all.hpp"
#include "schedules/problem/transfer_rules.hpp"
#include "schedules/scatter/local_scatter.hpp"
#include "schedules/scatter/local_store_and_forward.hpp"
#include "schedules/search/warm_start.hpp"

#include <utility>

namespace nocturne {

bool suits_local(const Problem& problem)
{
    return is_personalized(problem.collective) || suits_broadcast(problem);
}

std::uint64_t memory_of_local(const Problem& problem, unsigned steps)
{
    return is_personalized(problem.collective) ? memory_of_scatter(problem, steps) : 0;
}

SearchResult search_local(const Problem& problem, unsigned steps, const SearchControl& control)
{
    if (auto schedule = valid_start(problem, steps, control.start))
        return {Outcome::found, std::move(schedule), 0, 0};
    if (forbids_relays(problem)) // whatever the collective is called
        return search_scatter(problem, steps, control);
    if (suits_one_to_all(problem))
        return search_one_to_all(problem, steps, control);
    if (is_personalized(problem.collective))
        return problem.switching == Switching::wormhole ? search_scatter(problem, steps, control)
                                                        : search_store_and_forward(problem, steps, control);
    return search_broadcast(problem, steps, control);
}

} // namespace nocturne
