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

/// Changes the parameters of one engine.
template <class Parameters, void (*change)(Parameters& parameters)>
constexpr auto in = [](EvolutionParameters& parameters) { change(std::get<Parameters>(parameters)); };

/// Sets one of them.
template <auto member, auto value>
struct Setting;
template <class Parameters, class Value, Value Parameters::* member, auto value>
struct Setting<member, value> {
    static void apply(EvolutionParameters& parameters) { std::get<Parameters>(parameters).*member = value; }
};
template <auto member, auto value>
constexpr auto set = &Setting<member, value>::apply;

template <auto member, auto value>
constexpr auto set_move = in<HgsaParameters, [](HgsaParameters& engine) { engine.moves.*member = value; }>;

constexpr bool theirs = false;
constexpr bool ours = true;

constexpr std::array parts{
    EnginePart{"umda", "acceleration", theirs, set<&UmdaParameters::acceleration, false>},
    EnginePart{"umda", "slot-swap", theirs, set<&UmdaParameters::slot_swap, false>},
    EnginePart{"umda", "path-mutation", theirs, set<&UmdaParameters::path_mutation, false>},
    EnginePart{"umda", "restoration", theirs, set<&UmdaParameters::restoration, false>},
    EnginePart{"umda", "building-blocks", theirs, set<&UmdaParameters::building_blocks, false>},
    EnginePart{"umda", "conflicting-mutation", ours, set<&UmdaParameters::conflicting_mutation, 0>},
    EnginePart{"umda", "slot-tests", ours, set<&UmdaParameters::slots_tested, 1>},
    EnginePart{"umda", "sampling-tries", theirs, // as we read "redesigns" (presets.hpp)
               set<&UmdaParameters::sampling_tries, 0>},
    EnginePart{"umda", "restarts", ours, set<&UmdaParameters::stagnation_limit, 0>},
    EnginePart{"mboa", "restoration", theirs, set<&MboaParameters::restoration, false>},
    EnginePart{"mboa", "path-remedy", theirs, set<&MboaParameters::path_stall, 0>},
    EnginePart{"mboa", "best-paths", ours, set<&MboaParameters::path_remedy, PathRemedy::one>},
    EnginePart{"mboa", "conflicting-mutation", ours, set<&MboaParameters::conflicting_mutation, 0>},
    EnginePart{"mboa", "slot-tests", ours, set<&MboaParameters::slots_tested, 0>},
    EnginePart{"mboa", "structural-prior", ours, set<&MboaParameters::structural_prior, false>},
    EnginePart{"mboa", "tree-limits", ours,
               in<MboaParameters,
                  [](MboaParameters& engine) {
                      engine.trees.most_leaves = std::numeric_limits<std::uint32_t>::max();
                      engine.trees.candidates = 0;
                  }>},
    EnginePart{"mboa", "restarts", ours, set<&MboaParameters::stagnation_limit, 0>},
    EnginePart{"hgsa", "energy-scale", ours,
               in<HgsaParameters,
                  [](HgsaParameters& engine) {
                      engine.final_temperature /= engine.conflict_energy;
                      engine.reheat /= engine.conflict_energy;
                      engine.conflict_energy = 1;
                  }>},
    EnginePart{"hgsa", "grafts", ours, set_move<&HgsaMoves::graft, 0>},
    EnginePart{"hgsa", "swaps", ours, set_move<&HgsaMoves::swap, 0>},
    EnginePart{"hgsa", "focus", ours, set_move<&HgsaMoves::focus, 0>},
    EnginePart{"hgsa", "following", ours, set_move<&HgsaMoves::follow, false>},
    EnginePart{"hgsa", "reheating", ours, set<&HgsaParameters::hold, 0>},
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
