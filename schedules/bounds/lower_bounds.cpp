#include "schedules/bounds/lower_bounds.hpp"

#include "schedules/bounds/distance_bound.hpp"
#include "schedules/bounds/dominator_bound.hpp"
#include "schedules/bounds/flow_bound.hpp"
#include "schedules/bounds/growth_bound.hpp"
#include "schedules/bounds/port_bound.hpp"
#include "schedules/bounds/vertex_set_bound.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace nocturne {

std::vector<Bound> lower_bounds(const Problem& problem, std::chrono::steady_clock::time_point deadline)
{
    check(problem);
    std::vector<Bound> bounds{port_bound(problem)};
    const auto add = [&](std::optional<Bound> bound) {
        if (bound)
            bounds.push_back(std::move(*bound));
    };
    const auto is_over = [&] {
        return deadline != std::chrono::steady_clock::time_point::max() &&
               std::chrono::steady_clock::now() >= deadline;
    };
    for (const auto bound : {growth_bound, dominator_bound, distance_bound, vertex_set_bound})
        if (!is_over())
            add(bound(problem));
    if (!is_over())
        add(flow_bound(problem, deadline));
    // Of equal ones the simplest stays first.
    std::stable_sort(bounds.begin(), bounds.end(),
                     [](const Bound& a, const Bound& b) { return a.steps > b.steps; });
    return bounds;
}

Bound lower_bound(const Problem& problem, std::chrono::steady_clock::time_point deadline)
{
    return lower_bounds(problem, deadline).front();
}

} // namespace nocturne
