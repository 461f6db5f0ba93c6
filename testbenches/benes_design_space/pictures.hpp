// The pictures of the design space, as SVG text; they throw what draw() throws.
#pragma once

#include "testbenches/benes_design_space/design_map.hpp"

#include <span>
#include <string>

namespace nocturne::benes_design_space {

/// Best switch size over the message length, a curve for each machine size and kind of permutation, under the
/// first reading.
std::string switch_size_picture(std::span<const MapCell> cells);
/// The same for randomizing columns.
std::string columns_picture(std::span<const MapCell> cells);

/// The paper's figure 2 (c) and (d): mean latency with multiple randomization over randomizing columns, a
/// curve for each q.
std::string design_picture(const std::string& title, std::span<const BenesPoint> points,
                           std::uint64_t message_bits);

/// Share of permutations within the limit on B(q,2) over q, with what it cannot exceed and what is claimed.
/// Random permutations.
std::string share_picture(std::span<const BenesPoint> clos, std::uint32_t limit);

} // namespace nocturne::benes_design_space
