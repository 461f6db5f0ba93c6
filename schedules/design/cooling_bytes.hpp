// Coolings as bytes: how they get to worker processes, and what comes back.
#pragma once

#include "schedules/design/annealing.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne::design {

/// A cooling, the symmetry that it searches with, and the weight of the maximum latency that it goes by.
struct CoolingTask {
    unsigned symmetry = 1;
    double maximum_latency = 1;
    Cooling cooling;
};

std::vector<std::uint8_t> task_to_bytes(const CoolingTask& task);
std::vector<std::uint8_t> result_to_bytes(const CoolingResult& result);

/// Their inverses, for bytes of the same program. Throw std::runtime_error for any others.
CoolingTask task_from_bytes(std::span<const std::uint8_t> bytes);
CoolingResult result_from_bytes(std::span<const std::uint8_t> bytes);

} // namespace nocturne::design
