// Curves of latency over load up to saturation.
#pragma once

#include "sim/traffic/load_curves.hpp"

#include <filesystem>
#include <vector>

namespace nocturne::load_latency {

/// Reads the curves of a file. Throws std::runtime_error, one line with file and line.
std::vector<CurveSpecification> read_curves(const std::filesystem::path& path);

/// Searches where each curve saturates, and measures it at tenths of that load.
std::vector<TrafficCurve> measure(const std::vector<CurveSpecification>& curves, const CurveOptions& options);

/// A row a curve: latency at a tenth and at half of the load at which it saturates, that load, and what is
/// accepted at load 1.
Table saturation_table(const std::vector<TrafficCurve>& curves);

} // namespace nocturne::load_latency
