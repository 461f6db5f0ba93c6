// One search of one engine, or the bound, in a worker process: what it is asked for, on this machine or,
// through a transport, on others, how far it has come, and what comes back of it.
#pragma once

#include "schedules/portfolio/engines.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/workers/process.hpp"
#include "schedules/workers/workers.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
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

/// How far tasks have come, in memory that their processes share.
class SharedProgress {
public:
    /// Throws std::runtime_error if there is no memory to share.
    explicit SharedProgress(std::size_t tasks)
        : tasks_(tasks), tried_(tasks), unscheduled_(tasks), is_finished_(tasks)
    {
    }

    /// What the process of `task` has tried, and what is left in its best attempt.
    void set(std::size_t task, std::uint64_t tried, std::uint64_t unscheduled)
    {
        tried_[task] = tried;
        unscheduled_[task] = unscheduled;
    }
    std::pair<std::uint64_t, std::uint64_t> get(std::size_t task) const
    {
        return {tried_[task], unscheduled_[task]};
    }
    void finish(std::size_t task) { is_finished_[task] = true; }

    /// The first task that has said something and is not finished.
    std::optional<std::size_t> first_running() const
    {
        for (std::size_t task = 0; task < tasks_; ++task)
            if (tried_[task] > 0 && !is_finished_[task])
                return task;
        return std::nullopt;
    }

private:
    std::size_t tasks_;
    SharedValues<std::uint64_t> tried_;
    SharedValues<std::uint64_t> unscheduled_;
    SharedValues<bool> is_finished_;
};

struct Order {
    std::optional<Task> task; ///< nothing: the bound
    std::chrono::steady_clock::time_point deadline;
};

std::vector<Order> orders_for(const std::vector<Task>& tasks, std::chrono::steady_clock::time_point deadline);

/// Has them carried out with the start, processes or transport of `options`; what run_task() gives for a
/// task, with `lower_bound`, and {"bound": ..., "is_cut": was the time too short for it?} for the bound. As
/// run_jobs(). Beyond a transport nobody says how far he has come.
std::vector<nlohmann::json> carry_out(const Problem& problem, const std::vector<Order>& orders,
                                      unsigned lower_bound, const PortfolioOptions& options,
                                      SharedProgress& progress, const WorkerOptions& workers);

/// How many are carried out at a time.
std::size_t orders_at_a_time(const PortfolioOptions& options);

} // namespace nocturne
