// What Google Benchmark wrote, beside what it wrote once, and as a picture.
#pragma once

#include "sim/report/table.hpp"

#include <filesystem>
#include <string>

namespace nocturne::benchmarks {

/// Names of the counters in the JSON.
inline constexpr const char* work_counter = "work_per_second";
inline constexpr const char* calibrated_counter = "work_per_calibration_step";
inline constexpr const char* memory_counter = "MiB";
inline constexpr const char* processors_counter = "processors";

/// The rates of a run, and their ratios to those of a stored run (none if that is empty), both against the
/// calibration loop of their own time; of repetitions the best. Throws std::runtime_error for a file that
/// cannot be read or has no benchmarks.
Table rates_table(const std::filesystem::path& run, const std::filesystem::path& stored);

/// Nanoseconds of a hop against the processors of a mesh, at both levels, as SVG. Throws as rates_table() and
/// draw().
std::string cost_picture(const std::filesystem::path& run);

} // namespace nocturne::benchmarks
