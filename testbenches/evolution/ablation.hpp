// What each heuristic of the papers and each addition of ours is worth: the same runs without it.
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
    std::string engine;
    unsigned steps = 0;
    std::string
        variant; ///< `all`, `without slot-swap`, `without restarts (ours)`, `population 20`, `as printed`
    std::vector<EvolutionRun> runs;
};

/// Our engine, the same without each part that applies (the papers' heuristics and our additions), with what
/// the papers leave open set otherwise, and the paper's algorithm alone, on each cell at its printed steps.
std::vector<AblationResult> ablate(std::span<const PrintedCell> cells, const Limits& limits);

Table ablation_table(std::span<const AblationResult> results);

} // namespace nocturne::evolution
