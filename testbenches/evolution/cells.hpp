// What the papers say of their engines: steps reached, how often, how fast.
#pragma once

#include "sim/experiment/problem_text.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace nocturne::evolution {

struct PrintedCell {
    std::string paper;
    ProblemText problem;
    std::string engine; ///< `umda`, `mboa`, `hgsa`
    unsigned printed_steps = 0;
    std::optional<unsigned>
        printed_percent; ///< of ten runs that succeeded; nothing where the paper says none
    std::optional<unsigned> printed_seconds;  ///< mean of those; 1 stands for `<1s`
    std::optional<unsigned> evaluations = {}; ///< of a run, at most, where it is not as many as elsewhere
};

/// Reads a CSV file with the columns paper, network, collective, source, senders, receivers, ports, slack, engine,
/// printed_steps, printed_success_percent, printed_seconds, evaluations. Throws std::runtime_error, one line with file and line.
std::vector<PrintedCell> read_cells(const std::filesystem::path& path);

} // namespace nocturne::evolution
