#include "schedules/constructions/constructions.hpp"

#include <array>
#include <utility>

namespace nocturne {
namespace {

constexpr std::array table{
    Construction{"translated tree", translated_tree},
    Construction{"Hamiltonian ring", hamiltonian_ring},
    Construction{"tour ring", euler_tour_ring},
    Construction{"ring phases", ring_phases},
    Construction{"torus phases", torus_phases},
    Construction{"odd torus phases", odd_torus_phases},
    Construction{"mesh phases", mesh_phases},
    Construction{"dragonfly rounds", dragonfly_rounds},
    Construction{"one-to-all scatter", one_to_all_scatter},
    Construction{"translated scatter", translated_scatter},
    Construction{"permutation rounds", permutation_rounds},
    Construction{"rearrangeable network", rearrangeable_network},
    Construction{"first fit", first_fit},
};

} // namespace

std::span<const Construction> constructions()
{
    return table;
}

std::optional<Schedule> best_construction(const Problem& problem,
                                          const std::function<bool(const Schedule&)>& is_shortest)
{
    std::optional<Schedule> best;
    for (const Construction& construction : constructions()) {
        if (construction.construct == first_fit && best && is_shortest && is_shortest(*best))
            break;
        if (auto schedule = construction.construct(problem);
            schedule && (!best || schedule->steps.size() < best->steps.size()))
            best = std::move(schedule);
    }
    return best;
}

} // namespace nocturne
