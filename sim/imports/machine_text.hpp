// Topologies that people post of their GPU machines, as networks.
#pragma once

#include "sim/imports/gpu_box.hpp"
#include "sim/imports/imported_command.hpp"

#include <string>
#include <string_view>

namespace nocturne {

/// Is it one of foreign_configuration() that import_machine() reads?
bool is_machine_kind(std::string_view kind);

/// The text, of that kind, as a network, and the command that searches an all-reduce on it. `network_file`:
/// the name that the network file will have. Throws std::runtime_error, one line that begins with the name of
/// the text or with an option: for broken texts, what is missing and no option gives, and for options that
/// have no effect on the text.
ImportedCommand import_machine(std::string_view kind, const ForeignText& text, const MachineOptions& options,
                               const std::string& network_file);

/// Throws std::runtime_error for each of these options: the text, of another kind, has no GPUs.
void refuse_machine_options(const MachineOptions& options, std::string_view kind, std::string_view origin);

} // namespace nocturne
