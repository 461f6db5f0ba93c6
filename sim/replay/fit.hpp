// The line through measured step times.
#pragma once

#include "models/network/configuration.hpp"
#include "sim/report/results.hpp"

#include <span>

namespace nocturne {

/// Least squares of (time per step - hop overhead per step) = t0 + m t1 over replays of one schedule with
/// different message sizes m. Throws std::invalid_argument for fewer than two sizes, or a schedule without
/// steps.
TimingFit fit_timing(std::span<const ReplayResult> replays, const HardwareConfig& config);

} // namespace nocturne
