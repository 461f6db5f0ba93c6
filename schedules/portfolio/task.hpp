// One search of one engine, in a worker process, and what comes back of it.
#pragma once

#include "schedules/portfolio/engines.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace nocturne {

/// What one worker process is asked to do.
struct Task {
    const Engine* engine;
    unsigned steps;
    std::uint64_t seed;
    std::uint64_t effort; ///< 0 = no limit
};

struct TaskResult {
    Outcome outcome;
    std::uint64_t tried;
    std::string source; ///< of the schedule
    std::vector<Step> steps;
    std::string proof; ///< if impossible: DRAT
};

/// In the worker: what the engine finds. An engine that says that it is impossible and has no proof is not
/// believed: the proof is made here, if so many steps are at least `lower_bound`, and otherwise it has given
/// up.
nlohmann::json run_task(const Problem& problem, const Task& task, const SearchControl& control,
                        unsigned lower_bound);

/// In the parent. Null, a job that the round did not wait for, has given up.
TaskResult task_result(const nlohmann::json& json);

} // namespace nocturne
