#include "schedules/evolution/evolution.hpp"

#include "models/text/unknown_name.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace nocturne {
namespace {

/// What the engines have in common, by the type of their parameters.
template <class Parameters>
struct EvolutionaryEngine {
    std::string_view name;
    bool (*suits)(const Problem& problem);
    IslandModel (*model)(const Problem& problem, unsigned steps, const Parameters& parameters,
                         const Schedule* start);
};

constexpr EvolutionaryEngine<UmdaParameters> engine_of(const UmdaParameters&)
{
    return {"umda", suits_umda, umda_model};
}
constexpr EvolutionaryEngine<MboaParameters> engine_of(const MboaParameters&)
{
    return {"mboa", suits_mboa, mboa_model};
}
constexpr EvolutionaryEngine<HgsaParameters> engine_of(const HgsaParameters&)
{
    return {"hgsa", suits_hgsa, hgsa_model};
}

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
    return std::visit([](const auto& each) { return engine_of(each).name; }, parameters);
}

bool suits_evolution(const EvolutionParameters& parameters, const Problem& problem)
{
    return std::visit(
        [&](const auto& each) { return !reduces(problem.collective) && engine_of(each).suits(problem); },
        parameters);
}

IslandModel evolution_model(const Problem& problem, unsigned steps, const EvolutionParameters& parameters,
                            const Schedule* start)
{
    if (!suits_evolution(parameters, problem))
        throw std::invalid_argument(
            fmt::format("engine {} cannot do {}", engine_name(parameters), describe(problem)));
    return std::visit([&](const auto& each) { return engine_of(each).model(problem, steps, each, start); },
                      parameters);
}

} // namespace nocturne
