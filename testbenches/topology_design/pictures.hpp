// Pictures of designs, and of how they came about.
#pragma once

#include "testbenches/topology_design/designs.hpp"

#include <span>
#include <string>

namespace nocturne::topology_design {

/// The network, at the places of its nodes if it has any, otherwise as Graphviz lays it out.
std::string network_picture(const Designed& designed);

/// Costs of the best and of the median of each generation, and the terms of the median, all relative to the
/// median of the first generation: the paper's figure 5. For designs of gappin.
std::string cost_picture(const Designed& designed);

/// Mean and maximum age of the survivors of each generation: the paper's figure 4.
/// Likewise.
std::string age_picture(const Designed& designed);

/// Average latency over the length of all wires: a curve for each engine through those of its designs whose
/// names begin with `prefix`, and the 8x8 mesh and torus. Throws std::invalid_argument if there are none.
std::string wire_picture(std::span<const Designed> designs, const std::string& prefix);

} // namespace nocturne::topology_design
