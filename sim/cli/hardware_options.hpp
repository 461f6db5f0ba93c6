// The hardware's configuration on the command line.
#pragma once

#include "models/network/configuration.hpp"
#include "sim/cli/option_values.hpp"

namespace nocturne::cli {

OptionTable hardware_options();

/// `--selection`, of the commands that can route adaptively.
OptionTable selection_options();
std::optional<Selection> selection_of(const OptionValues& given);

/// The configuration; with `--vcs auto` as many virtual channels as `vc_classes`. Throws
/// std::invalid_argument for a value out of range.
HardwareConfig hardware_of(const OptionValues& given, unsigned vc_classes = 1);

} // namespace nocturne::cli
