// The hardware's configuration on the command line.
#pragma once

#include "models/network/configuration.hpp"
#include "sim/cli/option_values.hpp"

namespace nocturne::cli {

OptionTable hardware_options();

/// `--part`, which hardware_options() have too.
OptionTable part_options();
/// The network with what `--part` says of it; throws what with_parts() throws.
Topology with_parts_of(const OptionValues& given, Topology topology);

/// `--selection`, of the commands that can route adaptively.
OptionTable selection_options();
std::optional<Selection> selection_of(const OptionValues& given);

/// The configuration; with `--vcs auto` as many virtual channels as `vc_classes`. Throws
/// std::invalid_argument for a value out of range.
HardwareConfig hardware_of(const OptionValues& given, unsigned vc_classes = 1);

} // namespace nocturne::cli
