// Configurations of other simulators, and topologies of GPU machines, as commands of this one.
#pragma once

#include "sim/imports/gpu_box.hpp"
#include "sim/imports/imported_command.hpp"

#include <span>
#include <string>

namespace nocturne {

/// The command that runs what a configuration says, by its kind (foreign_configuration()): one text, or the
/// network and the system of ASTRA-sim in either order. `changes`: assignments `KEY=VALUE` that override a
/// BookSim2 configuration. `network_file`: the name of the network file, if the command needs one. `machine`:
/// of topologies of GPU machines. Throws std::runtime_error for a text of unknown kind, for changes and
/// options of another kind, and what the reader throws.
ImportedCommand import_configuration(std::span<const ForeignText> texts, std::span<const std::string> changes,
                                     const std::string& network_file, const MachineOptions& machine = {});

} // namespace nocturne
