// What each heuristic of the papers is worth: the same runs without it.
#pragma once

#include "sim/report/table.hpp"
#include "testbenches/evolution/success.hpp"

#include <span>
#include <string>
#include <vector>

namespace nocturne::evolution {

struct AblationResult {
    std::string network;
    std::string collective;
    unsigned steps = 0;
    std::string variant; ///< `all`, `without slot swap`, `most-paths 1`
    std::vector<EvolutionRun> runs;
};

/// UMDA with all heuristics and without each that applies, and with what the papers leave open set otherwise, on each cell
/// at its printed steps.
std::vector<AblationResult> ablate(std::span<const PrintedCell> cells, const Limits& limits);

Table ablation_table(std::span<const AblationResult> results);

} // namespace nocturne::evolution
