// At which level the command simulates.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/execution/simulate.hpp"

#include <initializer_list>

namespace nocturne::cli {

OptionTable model_options();

/// Options `payload` and `element`: what replays keep of the contents of messages, and how sums are made.
OptionTable payload_options();

/// Throws std::invalid_argument for a model that does not exist, and if it is not flit beside one of the
/// `flit_options` that is given.
NetworkModel model_of(const OptionValues& given, std::initializer_list<const char*> flit_options = {});

/// Sets both. Throws std::invalid_argument for an element where nothing is added, or no contents are held.
void set_payload(const OptionValues& given, const Collective& collective, ContentOptions& options);

} // namespace nocturne::cli
