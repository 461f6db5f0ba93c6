// Options for the parameters of the evolutionary engines.
#pragma once

#include "schedules/evolution/evolution.hpp"
#include "sim/cli/option_values.hpp"

namespace nocturne::cli {

OptionTable evolution_options();

/// The parameters of --engine: the papers' values where an option is not given. Throws std::invalid_argument
/// for an option that the engine does not have, and for a number that is none.
EvolutionParameters evolution_parameters(const OptionValues& given, unsigned slack);

} // namespace nocturne::cli
