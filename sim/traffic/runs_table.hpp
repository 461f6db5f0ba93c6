// Several runs of the same points with different seeds, taken together.
#pragma once

#include "sim/report/table.hpp"
#include "sim/report/traffic_results.hpp"

#include <span>

namespace nocturne {

/// A row for each load of curves that differ in their seed only: how many runs there were and how many of
/// them steady, and of those the means of accepted rate and latency with 95 % confidence intervals, the runs
/// being independent samples.
Table runs_table(std::span<const TrafficCurve> curves);

} // namespace nocturne
