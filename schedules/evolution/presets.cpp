#include "schedules/evolution/presets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <limits>
#include <stdexcept>
#include <vector>

namespace nocturne {
namespace {

UmdaParameters printed_umda()
{
    UmdaParameters umda; // population, mutation probability and the heuristics are the paper's
    umda.conflicting_mutation = 0;
    umda.slots_tested = 1;
    umda.stagnation_limit = 0;
    return umda;
}

MboaParameters printed_mboa()
{
    MboaParameters mboa;
    mboa.population = 200;
    mboa.trees.most_leaves = std::numeric_limits<std::uint32_t>::max();
    mboa.trees.candidates = 0;
    mboa.structural_prior = false;
    mboa.conflicting_mutation = 0;
    mboa.slots_tested = 0;
    mboa.restored_path = RestoredPath::same_index;
    mboa.path_remedy = PathRemedy::one;
    mboa.stagnation_limit = 0;
    return mboa;
}

HgsaParameters printed_hgsa()
{
    HgsaParameters hgsa;
    hgsa.first_hop_at_once = true;
    hgsa.conflict_energy = 1;
    hgsa.final_temperature = std::numeric_limits<double>::min(); // cooling has no end
    hgsa.hold = 0;
    hgsa.moves = {.redraw = 1, .graft = 0, .swap = 0, .focus = 0, .follow = false};
    return hgsa;
}

/// Leaves a part out of the parameters of one engine.
template <class Parameters>
using Change = void (*)(Parameters& parameters);

template <class Parameters, Change<Parameters> change>
constexpr auto in = [](EvolutionParameters& parameters) { change(std::get<Parameters>(parameters)); };

template <Change<UmdaParameters> change>
constexpr auto umda = in<UmdaParameters, change>;
template <Change<MboaParameters> change>
constexpr auto mboa = in<MboaParameters, change>;
template <Change<HgsaParameters> change>
constexpr auto hgsa = in<HgsaParameters, change>;

constexpr bool theirs = false;
constexpr bool ours = true;
constexpr bool yes = true;
constexpr bool no = false;

constexpr std::array parts{
    EnginePart{"umda", "acceleration", theirs, yes, no,
               umda<[](UmdaParameters& engine) { engine.acceleration = false; }>},
    EnginePart{"umda", "slot-swap", theirs, yes, no,
               umda<[](UmdaParameters& engine) { engine.slot_swap = false; }>},
    EnginePart{"umda", "path-mutation", theirs, yes, yes,
               umda<[](UmdaParameters& engine) { engine.path_mutation = false; }>},
    EnginePart{"umda", "restoration", theirs, no, yes,
               umda<[](UmdaParameters& engine) { engine.restoration = false; }>},
    EnginePart{"umda", "building-blocks", theirs, no, yes,
               umda<[](UmdaParameters& engine) { engine.building_blocks = false; }>},
    EnginePart{"umda", "conflicting-mutation", ours, yes, yes,
               umda<[](UmdaParameters& engine) { engine.conflicting_mutation = 0; }>},
    EnginePart{"umda", "slot-tests", ours, yes, yes,
               umda<[](UmdaParameters& engine) { engine.slots_tested = 1; }>},
    EnginePart{"umda", "sampling-tries", theirs, yes, no, // as we read "redesigns" (presets.hpp)
               umda<[](UmdaParameters& engine) { engine.sampling_tries = 0; }>},
    EnginePart{"umda", "restarts", ours, yes, yes,
               umda<[](UmdaParameters& engine) { engine.stagnation_limit = 0; }>},
    EnginePart{"mboa", "restoration", theirs, no, yes,
               mboa<[](MboaParameters& engine) { engine.restoration = false; }>},
    EnginePart{"mboa", "path-remedy", theirs, yes, yes,
               mboa<[](MboaParameters& engine) { engine.path_stall = 0; }>},
    EnginePart{"mboa", "best-paths", ours, yes, yes,
               mboa<[](MboaParameters& engine) { engine.path_remedy = PathRemedy::one; }>},
    EnginePart{"mboa", "conflicting-mutation", ours, yes, yes,
               mboa<[](MboaParameters& engine) { engine.conflicting_mutation = 0; }>},
    EnginePart{"mboa", "slot-tests", ours, yes, no,
               mboa<[](MboaParameters& engine) { engine.slots_tested = 0; }>},
    EnginePart{"mboa", "structural-prior", ours, yes, yes,
               mboa<[](MboaParameters& engine) { engine.structural_prior = false; }>},
    EnginePart{"mboa", "tree-limits", ours, yes, yes, mboa<[](MboaParameters& engine) {
                   engine.trees.most_leaves = std::numeric_limits<std::uint32_t>::max();
                   engine.trees.candidates = 0;
               }>},
    EnginePart{"mboa", "restarts", ours, yes, yes,
               mboa<[](MboaParameters& engine) { engine.stagnation_limit = 0; }>},
    EnginePart{"hgsa", "energy-scale", ours, no, yes, hgsa<[](HgsaParameters& engine) {
                   engine.final_temperature /= engine.conflict_energy;
                   engine.reheat /= engine.conflict_energy;
                   engine.conflict_energy = 1;
               }>},
    EnginePart{"hgsa", "grafts", ours, no, yes, hgsa<[](HgsaParameters& engine) { engine.moves.graft = 0; }>},
    EnginePart{"hgsa", "swaps", ours, no, yes, hgsa<[](HgsaParameters& engine) { engine.moves.swap = 0; }>},
    EnginePart{"hgsa", "focus", ours, no, yes, hgsa<[](HgsaParameters& engine) { engine.moves.focus = 0; }>},
    EnginePart{"hgsa", "following", ours, no, yes,
               hgsa<[](HgsaParameters& engine) { engine.moves.follow = false; }>},
    EnginePart{"hgsa", "reheating", ours, no, yes, hgsa<[](HgsaParameters& engine) { engine.hold = 0; }>},
};

} // namespace

EvolutionParameters as_printed(std::string_view engine)
{
    if (engine == "umda")
        return printed_umda();
    if (engine == "mboa")
        return printed_mboa();
    if (engine == "hgsa")
        return printed_hgsa();
    return default_parameters(engine); // which refuses it
}

std::span<const EnginePart> engine_parts()
{
    return parts;
}

void leave_out(std::string_view part, EvolutionParameters& parameters)
{
    std::vector<std::string_view> names;
    for (const EnginePart& own : parts) {
        if (own.engine != engine_name(parameters))
            continue;
        if (own.name == part)
            return own.leave_out(parameters);
        names.push_back(own.name);
    }
    throw std::invalid_argument(fmt::format("engine {} has no part '{}' to leave out; there are {}",
                                            engine_name(parameters), part, fmt::join(names, ", ")));
}

} // namespace nocturne
