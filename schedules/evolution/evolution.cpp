#include "schedules/evolution/evolution.hpp"

#include "models/text/unknown_name.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne {
namespace {

/// What a variant's alternatives have in common, told apart by their type.
struct Names {
    std::string_view operator()(const UmdaParameters&) const { return "umda"; }
    std::string_view operator()(const MboaParameters&) const { return "mboa"; }
    std::string_view operator()(const HgsaParameters&) const { return "hgsa"; }
};

struct Suits {
    const Problem& problem;

    bool operator()(const UmdaParameters&) const { return suits_umda(problem); }
    bool operator()(const MboaParameters&) const { return suits_mboa(problem); }
    bool operator()(const HgsaParameters&) const { return suits_hgsa(problem); }
};

struct Models {
    const Problem& problem;
    unsigned steps;
    const Schedule* start;

    IslandModel operator()(const UmdaParameters& umda) const
    {
        return umda_model(problem, steps, umda, start);
    }
    IslandModel operator()(const MboaParameters& mboa) const
    {
        return mboa_model(problem, steps, mboa, start);
    }
    IslandModel operator()(const HgsaParameters& hgsa) const
    {
        return hgsa_model(problem, steps, hgsa, start);
    }
};

} // namespace

EvolutionParameters default_parameters(std::string_view engine)
{
    if (engine == "umda")
        return UmdaParameters{};
    if (engine == "mboa")
        return MboaParameters{};
    if (engine == "hgsa")
        return HgsaParameters{};
    const std::vector<std::string> names{"umda", "mboa", "hgsa"};
    throw std::invalid_argument(unknown_name("evolutionary engine", engine, names));
}

std::string_view engine_name(const EvolutionParameters& parameters)
{
    return std::visit(Names{}, parameters);
}

bool suits_evolution(const EvolutionParameters& parameters, const Problem& problem)
{
    return std::visit(Suits{problem}, parameters);
}

IslandModel evolution_model(const Problem& problem, unsigned steps, const EvolutionParameters& parameters,
                            const Schedule* start)
{
    if (!suits_evolution(parameters, problem))
        throw std::invalid_argument(
            fmt::format("engine {} cannot do {}", engine_name(parameters), describe(problem)));
    return std::visit(Models{problem, steps, start}, parameters);
}

} // namespace nocturne
