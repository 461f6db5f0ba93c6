// At which level the command simulates.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/simulation/network_model.hpp"

#include <initializer_list>

namespace nocturne::cli {

OptionTable model_options();

/// Throws std::invalid_argument for a model that does not exist, and if it is not flit beside one of the
/// `flit_options` that is given.
NetworkModel model_of(const OptionValues& given, std::initializer_list<const char*> flit_options = {});

} // namespace nocturne::cli
