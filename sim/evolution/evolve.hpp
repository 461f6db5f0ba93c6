// Experiments with the evolutionary engines: one problem, one number of steps, several seeds.
#pragma once

#include "schedules/evolution/evolution.hpp"
#include "schedules/workers/job_pool.hpp"
#include "sim/report/evolution_results.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace nocturne {

struct EvolveOptions {
    EvolutionParameters parameters;
    unsigned steps = 1;
    std::uint64_t seed = 1; ///< of the first run; the next ones have the next seeds
    unsigned runs = 1;      ///< 1 or more
    /// Fitness evaluations of a run (fitness_count.hpp), and generations; 0 = no limit. A run ends with the
    /// epoch in which it comes to one; a schedule that is found beyond it does not count.
    std::uint64_t evaluations = 0;
    std::uint64_t generations = 0;
    std::chrono::milliseconds budget{60'000}; ///< wall-clock time of a run
    unsigned workers =
        0; ///< processes, for runs side by side, or for the islands of a single run; 0 = one for each core
    const JobTransport* transport = nullptr; ///< to processes that run evolve_work(), instead of `workers`
    std::filesystem::path checkpoint = {};   ///< of a single run
    std::optional<Schedule> start = std::nullopt;
    bool record_history = false;
    std::function<void(std::size_t done, std::size_t total)> on_progress = {}; ///< runs that are over
};

struct EvolveResult {
    std::vector<EvolutionRun> runs; ///< in the order of their seeds
    std::optional<Schedule> schedule =
        std::nullopt; ///< of the first run that solved it, judged by the validator
};

/// Repeats the experiment of the papers. Results depend on seeds, evaluations and generations only, unless a
/// budget ends first. Throws std::invalid_argument for options out of range (no runs, a budget of 0, no limit
/// at all, a checkpoint of several runs), what evolution_model() and evolve_islands() throw, Interrupted for
/// SIGINT, SIGTERM or SIGHUP in a run with a checkpoint (which is then up to date if the run is in this
/// process alone, and a few seconds old if it has workers), and std::logic_error for an engine that returns
/// an invalid schedule.
EvolveResult evolve(const Problem& problem, const EvolveOptions& options);

/// What the processes behind EvolveOptions::transport do, on this machine or another, for the same problem
/// and options: a run of several, or an epoch of an island of the only one. Throws what evolution_model()
/// throws.
JobPool::Work evolve_work(const Problem& problem, const EvolveOptions& options);

} // namespace nocturne
