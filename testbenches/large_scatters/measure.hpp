// All-to-all scatters on large networks: how far schedules are from their bounds.
#pragma once

#include "sim/report/table.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace nocturne::large_scatters {

struct Row {
    std::string network; ///< see make_network()
    std::string fault;   ///< `link:0,0-0,1`, or empty
    double goal_percent; ///< that a schedule may be over the bound
};

/// Reads a CSV file with the columns network, fault, goal_percent. Throws std::runtime_error, one line with
/// file and line, for anything else.
std::vector<Row> read_rows(const std::filesystem::path& path);

struct SearchLimits {
    std::string engine = "auto";
    std::chrono::milliseconds budget{300'000}; ///< wall-clock time of a row, its bound included
    unsigned workers = 2;                      ///< processes
    std::uint64_t most_memory = 4ULL << 30;    ///< bytes, of one process
    std::uint64_t seed = 1;
};

struct Result {
    Row row;
    std::string network; ///< its name, with the fault
    std::uint64_t processors = 0;
    std::uint64_t bound = 0;            ///< steps
    std::optional<std::uint64_t> steps; ///< of the best schedule
    std::string engine;                 ///< that found it
    std::string kind;                   ///< of the bound
    double seconds = 0;
    double mebibytes = 0;   ///< the most that a process took
    std::string refutation; ///< why bound or schedule do not hold; empty: they do

    /// Steps over the bound; nothing without a schedule.
    std::optional<double> gap_percent() const;
    /// `at the bound`, `within 3 %`, `5.4 % over, the goal is 3 %`, `no schedule`
    std::string verdict() const;
};

/// Searches a schedule of an all-to-all scatter in a process of its own; checks schedule and bound.
Result measure(const Row& row, const SearchLimits& limits);

Table result_table(const std::vector<Result>& results);

/// A line for each result that does not hold, took more memory than it may, or is further over its bound than
/// the table of expected results (a file as csv_of(result_table())) says, by more than `margin_percent`. A
/// network that is not in the table, or has no schedule there, has nothing to keep up with.
std::vector<std::string> failures(const std::vector<Result>& results, const SearchLimits& limits,
                                  const std::filesystem::path& expected, double margin_percent);

} // namespace nocturne::large_scatters
