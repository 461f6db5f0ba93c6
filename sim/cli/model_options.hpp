// At which level the command simulates.
#pragma once

#include "models/hardware/payload.hpp"
#include "sim/cli/option_values.hpp"
#include "sim/simulation/network_model.hpp"

#include <initializer_list>

namespace nocturne::cli {

OptionTable model_options();

/// What replays keep of the contents of messages.
OptionTable payload_options();

/// Throws std::invalid_argument for a model that does not exist, and if it is not flit beside one of the
/// `flit_options` that is given.
NetworkModel model_of(const OptionValues& given, std::initializer_list<const char*> flit_options = {});

/// Throws std::invalid_argument for a form that does not exist, and for `held` beside --model worm, which
/// keeps digests.
PayloadForm payload_of(const OptionValues& given);

} // namespace nocturne::cli
