// The cells of the papers' tables: what they say of the steps of a collective on a network.
#pragma once

#include "sim/result_files/problem_text.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace nocturne::lower_bounds {

struct Cell {
    std::string paper;
    ProblemText problem;
    std::optional<unsigned> printed_steps; ///< nothing where the paper found no schedule
    std::optional<unsigned>
        printed_bound; ///< nothing where it gives none, or says that its steps are not optimal
};

/// Reads a CSV file with the columns paper, network, fault, collective, source, senders, receivers, ports,
/// slack, printed_steps, printed_bound. Throws std::runtime_error, one line with file and line, for anything
/// else.
std::vector<Cell> read_cells(const std::filesystem::path& path);

} // namespace nocturne::lower_bounds
