// Results of replays and comparisons as people see them: what is said in words, and tables that set runs side
// by side. Their other tables, and JSON, follow from their fields.
#pragma once

#include "sim/report/results.hpp"
#include "sim/report/table.hpp"

#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// `ok`, or what went wrong: `deadlock` (with a circular wait), `stalled`, `incomplete` (messages missing),
/// `wrong memory`, or `not run`.
std::string outcome(const RunResult& run);

/// Where the blocked cycles of a run come from, one line; empty if there are none.
std::string describe_blocking(const RunResult& run);

/// One row a step of one replay.
Table step_table(const ReplayResult& replay);
/// Who holds which channel and waits for which, in the order of the circle.
Table stall_table(const Stall& stall);
/// One row a message size: times of the model, the schedule with barriers and without, and the fastest run
/// without a schedule, by name; the time of a run that did not end well is empty.
Table latency_table(const Comparison& comparison);
/// One row for each traffic without a schedule and routing, one column of times a message size.
Table baseline_table(const Comparison& comparison);

/// A run of a comparison beside the schedule's of the same size.
struct ComparedRun {
    RunResult run;
    std::optional<double> time_over_schedule = {};
    bool strongest = false;
    // Of the schedule with barriers.
    std::optional<double> model_time_ns = {};
    std::optional<double> hop_overhead_ns = {};
    std::vector<double> step_times_ns = {};
};
Fields<ComparedRun> fields_of(const ComparedRun*);

} // namespace nocturne
