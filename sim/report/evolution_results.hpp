// What runs of an evolutionary engine return, and how they are shown.
#pragma once

#include "sim/report/fields.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// One generation of one island.
struct GenerationRecord {
    std::uint32_t island = 0;
    std::uint64_t number = 0;
    std::uint64_t evaluations = 0;
    std::uint64_t best = 0;
    double mean = 0;
    double diversity = 0;

    friend bool operator==(const GenerationRecord&, const GenerationRecord&) = default;
};
Fields<GenerationRecord> fields_of(const GenerationRecord*);

/// One run from one seed.
struct EvolutionRun {
    std::string engine;
    std::uint64_t seed = 0;
    std::uint32_t steps = 0;
    bool solved = false;
    std::uint64_t conflicts = 0;
    std::uint64_t generations = 0;
    std::uint64_t evaluations = 0;
    double seconds = 0;
    std::vector<GenerationRecord> history; ///< thinned out where it is long

    friend bool operator==(const EvolutionRun&, const EvolutionRun&) = default;
};
Fields<EvolutionRun> fields_of(const EvolutionRun*);

/// What `--history` writes of a run.
struct EvolutionHistory {
    std::uint64_t seed = 0;
    std::vector<GenerationRecord> generations;
};
Fields<EvolutionHistory> fields_of(const EvolutionHistory*);

/// Runs with the same problem, steps and engine taken together.
struct SuccessRate {
    std::uint64_t runs = 0;
    std::uint64_t successes = 0;
    // Means of the successful runs, as the papers give them; 0 if there are none.
    double seconds = 0;
    double generations = 0;
    double evaluations = 0;

    double percent() const
    {
        return runs == 0 ? 0 : 100.0 * static_cast<double>(successes) / static_cast<double>(runs);
    }
};

SuccessRate success_rate(std::span<const EvolutionRun> runs);

/// One row a generation that was kept, of all runs.
Table history_table(std::span<const EvolutionRun> runs);

/// Conflicts of the best solution against evaluations, a curve for each run (of its best island), as SVG
/// text. Throws what draw() throws.
std::string convergence_picture(std::span<const EvolutionRun> runs, const std::string& title);

} // namespace nocturne
