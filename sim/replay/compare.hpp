// The main job: a schedule against the same messages without one, over message sizes, each simulation in a
// worker process.
#pragma once

#include "schedules/workers/workers.hpp"
#include "sim/execution/unscheduled.hpp"
#include "sim/replay/replay.hpp"
#include "sim/simulation/memory_need.hpp"

#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// Runs with messages of several sizes, on the same hardware.
struct RunSeries {
    std::vector<std::uint64_t> message_bytes; ///< 1 or more sizes, ascending
    SimulationOptions simulation;             ///< its message_bytes and ports are ignored
    WorkerOptions workers;                    ///< fewer where memory does not suffice for so many at a time
    MemoryLimit memory;
};

struct ReplaySeries : RunSeries {
    Synchronization synchronization = Synchronization::barrier;
};

/// One replay a message size, in the order of the sizes. Throws what replay() and run_jobs() throw; messages
/// that are too large for the memories, or for this machine's, are refused before the first one runs.
std::vector<ReplayResult> replay_sizes(const Schedule& schedule, const Topology& topology,
                                       const ReplaySeries& series);

/// At least two sizes.
struct ComparisonOptions : RunSeries {
    std::vector<UnscheduledTraffic> baselines;
};

/// Replays under a barrier and self-timed (the latter among the baselines, called self_timed_schedule), each
/// of the baselines by each of the routings, and the fit of t0 and t1. Of a schedule of chunks it is the
/// schedule as it stands, beside the chunks as messages without one, and there is no fit. The same whatever
/// the number of workers. Throws std::invalid_argument for an invalid schedule, with its first violation, and
/// for an adaptive routing at the message level or beside background traffic.
Comparison compare(const Schedule& schedule, const Topology& topology, std::span<const Routing> routings,
                   const ComparisonOptions& options);

/// One of its runs without a schedule again, or the self-timed schedule, with its occupancy recorded, in a
/// worker process. Throws std::logic_error for a run that the comparison does not have.
RunResult record_baseline(const Schedule& schedule, const Topology& topology,
                          std::span<const Routing> routings, const ComparisonOptions& options,
                          const RunResult& baseline);

} // namespace nocturne
