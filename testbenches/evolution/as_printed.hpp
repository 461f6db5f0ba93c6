// The papers' algorithms and nothing else (schedules/evolution/presets.hpp) on the papers' tables: how often
// they succeed.
#pragma once

#include "sim/report/table.hpp"
#include "testbenches/evolution/success.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nocturne::evolution {

/// What came out for one cell; all but `seconds` depends on seeds and evaluations only.
struct AsPrinted {
    std::string network;
    std::string collective;
    std::string participants;
    std::string ports;
    std::string engine;
    unsigned printed_steps = 0;
    std::optional<unsigned> printed_percent = {};
    std::optional<unsigned> printed_seconds = {};
    std::uint64_t evaluations = 0; ///< of a run, at most
    unsigned runs = 0;
    unsigned successes = 0;
    std::uint64_t conflicts = 0;        ///< left, in the mean of all runs, rounded up
    std::uint64_t mean_evaluations = 0; ///< of the runs that succeeded
    double seconds = 0;                 ///< mean of the runs that succeeded
};

/// Ten runs, or as many as the limits say, of the preset at the printed steps.
AsPrinted run_as_printed(const PrintedCell& cell, const Limits& limits);

/// Is it a result of the cell with these limits, so that it need not be run again?
bool is_result_of(const AsPrinted& result, const PrintedCell& cell, const Limits& limits);

/// As success.hpp's verdict(), for the runs that were made.
std::string verdict(const AsPrinted& result);

/// The file that csv_of(as_printed_table()) makes; nothing if there is no such file. Throws
/// std::runtime_error, one line with file and line, for one that is something else.
std::vector<AsPrinted> read_as_printed(const std::filesystem::path& path);

Table as_printed_table(std::span<const AsPrinted> results);

/// Cells whose successes or mean evaluations are other than expected; cells that are not expected are none of
/// them.
std::vector<std::string> differences(std::span<const AsPrinted> results, std::span<const AsPrinted> expected);

} // namespace nocturne::evolution
