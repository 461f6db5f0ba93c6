#include "schedules/bounds/lower_bounds.hpp"

#include "schedules/bounds/distance_bound.hpp"
#include "schedules/bounds/dominator_bound.hpp"
#include "schedules/bounds/flow_bound.hpp"
#include "schedules/bounds/growth_bound.hpp"
#include "schedules/bounds/port_bound.hpp"
#include "schedules/bounds/vertex_set_bound.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

std::vector<Bound> lower_bounds(const Problem& problem)
{
    check(problem);
    std::vector<Bound> bounds{port_bound(problem)};
    for (const auto bound : {growth_bound, dominator_bound, distance_bound, vertex_set_bound, flow_bound})
        if (auto found = bound(problem))
            bounds.push_back(std::move(*found));
    // Of equal ones the simplest stays first.
    std::stable_sort(bounds.begin(), bounds.end(),
                     [](const Bound& a, const Bound& b) { return a.steps > b.steps; });
    return bounds;
}

Bound lower_bound(const Problem& problem)
{
    return lower_bounds(problem).front();
}

} // namespace nocturne
