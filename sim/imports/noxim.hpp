// Noxim's configurations (Catania et al., Cycle-accurate network on chip simulation with Noxim, TOMACS 27,
// 2016; https://github.com/davidepatti/noxim, commit 4c8e72d).
#pragma once

#include "sim/imports/foreign_keys.hpp"

#include <span>
#include <string>
#include <string_view>

namespace nocturne {

std::span<const ForeignKey> noxim_keys();

/// YAML. Throws std::runtime_error for another text, keys that Noxim does not have, keys without a default
/// that are left out, and for networks that there are not here.
ImportedCommand import_noxim(std::string_view text, const std::string& origin);

} // namespace nocturne
