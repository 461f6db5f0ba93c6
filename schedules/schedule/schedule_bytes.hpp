// Schedules as bytes: how they come back from worker processes. JSON takes seconds for a million transfers.
#pragma once

#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne {

std::vector<std::uint8_t> to_bytes(std::span<const Step> steps);

/// Its inverse, for bytes of the same program. Throws std::runtime_error if they are not what to_bytes()
/// makes.
std::vector<Step> steps_from_bytes(std::span<const std::uint8_t> bytes);

/// All but the collective.
std::vector<std::uint8_t> to_bytes(const Schedule& schedule);

/// Its inverse, with the same promises.
Schedule schedule_from_bytes(std::span<const std::uint8_t> bytes, Collective collective);

} // namespace nocturne
