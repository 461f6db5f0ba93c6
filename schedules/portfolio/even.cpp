#include "schedules/portfolio/even.hpp"

#include "schedules/constructions/torus_phases.hpp"
#include "schedules/scatter/even_scatter.hpp"

namespace nocturne {

SearchResult search_even(const Problem& problem, unsigned steps, const SearchControl& control)
{
    if (control.start != nullptr)
        return search_even_scatter(problem, steps, control);
    const auto phases = surviving_torus_phases(problem);
    SearchControl from_phases = control;
    from_phases.start = phases ? &*phases : nullptr;
    return search_even_scatter(problem, steps, from_phases);
}

} // namespace nocturne
