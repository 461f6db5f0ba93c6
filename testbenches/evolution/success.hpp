// Ten runs of a paper's engine on one cell of its tables, beside what was printed and beside the engines of
// today.
#pragma once

#include "sim/report/evolution_results.hpp"
#include "sim/report/table.hpp"
#include "testbenches/evolution/cells.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne::evolution {

/// How each run is limited; only `budget` depends on the machine, and it is meant never to end a run.
struct Limits {
    unsigned runs = 10;
    std::uint64_t evaluations = 0;            ///< of a run of MBOA and HGSA, unless the cell says otherwise
    std::uint64_t generations = 0;            ///< of a run of UMDA, unless the cell says otherwise
    std::uint64_t optimum_evaluations = 0;    ///< at fewer steps than printed
    std::uint64_t optimum_generations = 0;    ///< at fewer steps than printed
    std::uint64_t as_printed_evaluations = 0; ///< of the algorithm as printed, unless the cell says otherwise
    std::chrono::milliseconds budget{0};
    std::uint64_t seed = 1;
    unsigned workers = 0;
};

struct Finding {
    PrintedCell cell;
    std::string participants;
    std::string ports;
    std::size_t processors = 0;
    unsigned optimum = 0;           ///< proven lower bound
    bool is_attained = false;       ///< by a schedule of today's engines
    std::string modern_engine = {}; ///< that found it
    double modern_seconds = 0;      ///< bound and schedule
    std::vector<EvolutionRun> at_printed = {};
    std::vector<EvolutionRun> at_optimum =
        {}; ///< empty where the printed steps are the optimum, or fewer than can be
};

Finding examine(const PrintedCell& cell, const Limits& limits);

/// `omega:8 AAB, 7 steps: umda 10 of 10`, and the same for the optimum where that is less.
std::string summary(const Finding& finding);

/// `reached` (at least the printed rate) or `not reached (70 of 100 %)`; success in percent of the runs.
std::string rate_verdict(double percent, std::optional<unsigned> printed_percent);
/// The same of a finding, or what makes the question void.
std::string verdict(const Finding& finding);

/// Steps and success rates only: what does not depend on machine and clock.
Table success_table(const std::vector<Finding>& findings);
/// With times, generations and evaluations.
Table cost_table(const std::vector<Finding>& findings);

} // namespace nocturne::evolution
