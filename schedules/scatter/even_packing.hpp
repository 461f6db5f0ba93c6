// Packing messages whose first paths load the channels evenly.
#pragma once

#include "schedules/scatter/path_packing.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace nocturne {

/// pack_paths() into as few steps as the busiest resource takes over the first paths, if it can. Where the
/// first paths fill nearly all channels in that many steps, over these alone: on any other a message takes
/// what others cannot do without. A message with a step in `start` (by message; or empty) begins there on its
/// first path.
PathPackingResult pack_even_paths(const PathResources& resources, const PathTable& paths,
                                  const SearchControl& control,
                                  std::span<const std::optional<std::uint32_t>> start = {});

} // namespace nocturne
