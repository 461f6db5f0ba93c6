// Which design is best: for each machine size, kind of traffic, reading of the costs and message length.
#pragma once

#include "sim/benes/benes.hpp"
#include "sim/report/table.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nocturne::benes_design_space {

/// How delays in network cycles are read as clock cycles; see BenesOptions and CircuitUse.
struct Reading {
    std::string name; ///< `circuit a message, set-up 1`
    CircuitUse circuit = CircuitUse::message;
    std::uint32_t setup_clocks = 1;   ///< for each column
    std::uint32_t release_clocks = 0; ///< times n, for each network cycle
};

/// Those of the map; the first one is that of the pictures.
const std::vector<Reading>& readings();

/// A latency with half of its 95 % confidence interval, clock cycles.
struct Latency {
    double clocks = 0;
    double error = 0;

    /// Do the intervals meet?
    bool meets(const Latency& other) const
    {
        return clocks - error <= other.clocks + other.error && other.clocks - other.error <= clocks + error;
    }
};

/// Of the delays that were measured, under another reading and for another message length.
Latency latency(const BenesPoint& point, const Reading& reading, std::uint64_t message_bits);

/// Columns whose output is drawn: n - 1 - r.
std::uint32_t randomizing_columns(const BenesPoint& point);

struct Choice {
    std::uint32_t switch_size = 0;
    std::uint32_t randomizing_columns = 0;
    Latency latency;
};

/// The size of switch that the paper finds best for a machine size; nothing for sizes that it does not have.
std::optional<std::uint32_t> claimed_switch_size(std::uint32_t processors);
/// The number of randomizing columns that it finds best.
inline constexpr std::uint32_t claimed_randomizing_columns = 1;

struct MapCell {
    std::uint32_t processors = 0;
    std::string traffic; ///< `random`, `worst`
    std::string reading;
    std::uint64_t message_bits = 0;
    Choice best;
    std::optional<Choice> best_of_claimed_size;    ///< among designs with that switch
    std::optional<Choice> best_of_claimed_columns; ///< among designs with one randomizing column
};

/// Cells for each reading and length, of the points with multiple randomization. Throws std::invalid_argument
/// if there is none.
std::vector<MapCell> map_of(std::uint32_t processors, const std::string& traffic,
                            std::span<const BenesPoint> points, std::span<const std::uint64_t> message_bits);

/// One row a cell.
Table map_table(std::span<const MapCell> cells);

} // namespace nocturne::benes_design_space
