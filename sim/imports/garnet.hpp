// Command lines of gem5's garnet_synth_traffic.py (Agarwal et al., GARNET: a detailed on-chip network model
// inside a full-system simulator, ISPASS 2009; https://github.com/gem5/gem5, configs/example, configs/network
// and configs/ruby).
#pragma once

#include "sim/imports/foreign_keys.hpp"

#include <span>
#include <string>
#include <string_view>

namespace nocturne {

std::span<const ForeignKey> garnet_options();

/// Words as a shell takes them, also over several lines; those up to the name of the script are gem5's own.
/// Throws std::runtime_error for options and values that the script does not have, and for networks that
/// there are not here.
ImportedCommand import_garnet(std::string_view text, const std::string& origin);

} // namespace nocturne
