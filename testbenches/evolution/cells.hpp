// What the papers say of their engines: steps reached, how often, how fast.
#pragma once

#include "sim/result_files/problem_text.hpp"

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
    std::optional<unsigned> printed_seconds; ///< mean of those; 1 stands for `<1s`
    std::optional<unsigned> generations =
        {}; ///< of a run of UMDA, at most, where it is not as many as elsewhere
    std::optional<unsigned> evaluations = {};            ///< the same of the other engines
    std::optional<unsigned> as_printed_evaluations = {}; ///< the same of the algorithm as printed; 0: not run
    std::optional<unsigned> population = {};             ///< of MBOA as printed, which fits it to the problem
};

/// Reads a CSV file with the columns paper, network, collective, source, senders, receivers, ports, slack,
/// engine, printed_steps, printed_success_percent, printed_seconds, generations, evaluations,
/// as_printed_evaluations, population. Throws std::runtime_error, one line with file and line.
std::vector<PrintedCell> read_cells(const std::filesystem::path& path);

} // namespace nocturne::evolution
