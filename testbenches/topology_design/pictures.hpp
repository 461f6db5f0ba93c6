// Pictures of designs, and what those of how they came about show.
#pragma once

#include "testbenches/topology_design/designs.hpp"

#include <span>
#include <string>

namespace nocturne::topology_design {

/// The network, at the places of its nodes if it has any, otherwise as Graphviz lays it out.
std::string network_picture(const Designed& designed);

/// Of a design by gappin, a row for each curve and generation: costs of the best and of the median, and the
/// terms of the median, all relative to the median of the first generation (the paper's figure 5).
Table cost_table(const Designed& designed);

/// The same for mean and maximum age of the survivors: the paper's figure 4.
Table age_table(const Designed& designed);

/// Average latency over the length of all wires: a curve for each engine through those of its designs whose
/// names begin with `prefix`, the 8x8 mesh and torus, and Moore's bound.
Table wire_table(std::span<const Designed> designs, const std::string& prefix);

} // namespace nocturne::topology_design
