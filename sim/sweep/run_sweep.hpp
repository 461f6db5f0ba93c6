// Runs the points of a sweep that have no result yet.
#pragma once

#include "schedules/workers/job_pool.hpp"
#include "sim/sweep/sweep_database.hpp"
#include "sim/sweep/sweep_plan.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace nocturne {

struct SweepProgress {
    std::uint64_t points = 0; ///< of the sweep
    std::uint64_t done = 0;   ///< of those, in earlier calls too
    std::uint64_t failed = 0; ///< in this call: with an error
    double seconds = 0;       ///< since the call
    std::optional<double>
        seconds_left; ///< estimate: if the others take as long as those of this call; nothing
                      ///< before the first
};

struct SweepSettings {
    std::function<std::string(const std::vector<std::string>& arguments)>
        command_text; ///< as a shell takes it
    SweepDatabase::Retry retry = SweepDatabase::Retry::died;
    std::function<void(const SweepProgress&)> on_progress; ///< a few times a second
};

/// The work of a pool or a rank on the jobs that run_sweep() sends: runs the command of a point.
JobPool::Work point_work(CommandLine run);

/// Sends the points that are not done over the transport, and puts their results into the database as they
/// come. Which rank ran a point, and for how long, shows in the database's table `clock` and nowhere else.
/// Throws what transport and database throw; what had come by then is in the database.
SweepProgress run_sweep(const SweepPlan& plan, SweepDatabase& database, const JobTransport& transport,
                        const SweepSettings& settings);

} // namespace nocturne
