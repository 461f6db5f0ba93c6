// Configurations of other simulators as commands of this one.
#pragma once

#include "sim/imports/imported_command.hpp"

#include <span>
#include <string>

namespace nocturne {

/// A text, and how messages call it: its file.
struct ForeignText {
    std::string text;
    std::string origin;
};

/// The command that does what a configuration says, by its kind (foreign_configuration()): one text, or the
/// network and the system of ASTRA-sim. `network_file`: the name for a file of the network, if the command
/// needs one. Throws std::runtime_error for a text of no kind that is known, and what the reader of its kind
/// throws.
ImportedCommand import_configuration(std::span<const ForeignText> texts, const std::string& network_file);

} // namespace nocturne
