// Reports of islands as bytes: how they come back from worker processes.
#pragma once

#include "schedules/evolution/island.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

std::vector<std::uint8_t> report_to_bytes(const EpochReport& report);

/// Its inverse, for bytes of the same program. Throws std::runtime_error if they are not what
/// report_to_bytes() makes.
EpochReport report_from_bytes(std::span<const std::uint8_t> bytes);

} // namespace nocturne
