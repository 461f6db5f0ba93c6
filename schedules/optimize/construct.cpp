#include "schedules/optimize/construct.hpp"

#include "schedules/optimize/hamiltonian_ring.hpp"
#include "schedules/optimize/one_to_all_scatter.hpp"
#include "schedules/optimize/permutation_rounds.hpp"
#include "schedules/optimize/rearrangeable_network.hpp"
#include "schedules/optimize/torus_phases.hpp"
#include "schedules/optimize/tour_ring.hpp"
#include "schedules/optimize/translated_tree.hpp"

#include <array>
#include <utility>

namespace nocturne {
namespace {

constexpr std::array table{
    Construction{"translated tree", translated_tree},
    Construction{"Hamiltonian ring", hamiltonian_ring},
    Construction{"tour ring", tour_ring},
    Construction{"ring phases", ring_phases},
    Construction{"torus phases", torus_phases},
    Construction{"one-to-all scatter", one_to_all_scatter},
    Construction{"permutation rounds", permutation_rounds},
    Construction{"rearrangeable network", rearrangeable_network},
};

} // namespace

std::span<const Construction> constructions()
{
    return table;
}

std::optional<Schedule> best_construction(const Problem& problem)
{
    std::optional<Schedule> best;
    for (const Construction& construction : constructions())
        if (auto schedule = construction.construct(problem);
            schedule && (!best || schedule->steps.size() < best->steps.size()))
            best = std::move(schedule);
    return best;
}

bool suits_construction(const Problem&)
{
    return true;
}

SearchResult search_construction(const Problem& problem, unsigned steps, const SearchControl&)
{
    SearchResult result;
    auto schedule = best_construction(problem);
    result.tried = constructions().size();
    if (schedule && schedule->steps.size() <= steps) {
        result.outcome = Outcome::found;
        result.schedule = std::move(schedule);
    } else {
        for (const Message& message : problem.collective.messages)
            result.unscheduled += message.receivers.size();
    }
    return result;
}

} // namespace nocturne
