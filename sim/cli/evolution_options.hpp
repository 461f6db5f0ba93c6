// Options for the parameters of the evolutionary engines.
#pragma once

#include "schedules/evolution/evolution.hpp"

#include <boost/program_options.hpp>

namespace nocturne::cli {

boost::program_options::options_description evolution_options();

/// The parameters of --engine: the papers' values where an option is not given. Throws std::invalid_argument
/// for an option that the engine does not have, and for a number that is none.
EvolutionParameters evolution_parameters(const boost::program_options::variables_map& map, unsigned slack);

} // namespace nocturne::cli
