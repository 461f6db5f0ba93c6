// What it costs at first to make a message go.
#pragma once

#include "schedules/scatter/even_paths.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

/// By message, 1 to `most` + 1: the more, the more of what is scarce its first path takes. A resource counts
/// by the fourth power of its load over those paths, and the message by the fourth power of the sum: it takes
/// many short messages to outweigh a long one, which has far fewer places to go to. `held` is what messages
/// hold on each of their paths (see held_paths()), `capacity` by resource, 1 or more of what is held.
std::vector<std::uint32_t> first_prices(std::span<const std::uint32_t> capacity, const PathTable& held,
                                        std::uint32_t most);

} // namespace nocturne
