#include "schedules/search/engine.hpp"

#include "schedules/schedule/validator.hpp"
#include "schedules/search/warm_start.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

SearchResult search(const Engine& engine, const Problem& problem, unsigned steps,
                    const SearchControl& control)
{
    if (steps == 0)
        throw std::invalid_argument("0 steps: a schedule has 1 or more");
    if (!can_try(engine, problem))
        throw std::invalid_argument(fmt::format("engine {} cannot do {}", engine.name, describe(problem)));
    if (control.start != nullptr)
        check_start(problem, *control.start);
    SearchResult result = engine.search(problem, steps, control);
    if (!result.schedule)
        return result;
    if (result.schedule->steps.size() > steps)
        throw std::logic_error(fmt::format("engine {} returned {} steps instead of {}", engine.name,
                                           result.schedule->steps.size(), steps));
    if (const auto objection = objection_to(*result.schedule, problem))
        throw std::logic_error(
            fmt::format("engine {} returned an invalid schedule: {}", engine.name, *objection));
    return result;
}

} // namespace nocturne
