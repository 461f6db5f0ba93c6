// The three evolutionary engines behind one function.
#pragma once

#include "schedules/evolution/hgsa.hpp"
#include "schedules/evolution/mboa.hpp"
#include "schedules/evolution/umda.hpp"

#include <string_view>
#include <variant>

namespace nocturne {

/// Which engine, and with which parameters.
using EvolutionParameters = std::variant<UmdaParameters, MboaParameters, HgsaParameters>;

/// The papers' values where they have any, and our additions (those of the papers alone: as_printed(),
/// presets.hpp), by the engine's name (`umda`, `mboa`, `hgsa`). Throws std::invalid_argument with the list
/// for any other name.
EvolutionParameters default_parameters(std::string_view engine);

/// `umda`
std::string_view engine_name(const EvolutionParameters& parameters);

/// Can the engine be tried on the problem?
bool suits_evolution(const EvolutionParameters& parameters, const Problem& problem);

/// The engine's islands, ready for evolve_islands(). Throws std::invalid_argument for an engine that does not
/// suit the problem, and as the engine's own function.
IslandModel evolution_model(const Problem& problem, unsigned steps, const EvolutionParameters& parameters,
                            const Schedule* start = nullptr);

} // namespace nocturne
