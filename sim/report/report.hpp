// Results as tables for people and spreadsheets, and as JSON documents for programs. The keys of the
// documents are what `nocturne … --json` promises; results.hpp has the exact form that only nocturne reads.
#pragma once

#include "sim/report/results.hpp"
#include "sim/report/table.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>

namespace nocturne {

/// `ok`, or what went wrong: `deadlock` (with a circular wait), `stalled`, `incomplete` (messages missing),
/// or `wrong memory`.
std::string outcome(const RunResult& run);

/// Where the blocked cycles of a run come from, one line; empty if there are none.
std::string describe_blocking(const RunResult& run);

/// One row a replay: what was replayed, its time, the model's time, and the checks.
Table replay_table(std::span<const ReplayResult> replays);
/// One row a step of one replay.
Table step_table(const ReplayResult& replay);
/// One row a channel: flits and utilisation.
Table channel_table(const RunResult& run);
/// Fitted t0 and t1 beside the model's.
Table fit_table(const TimingFit& fit);
/// Who holds which channel and waits for which, in the order of the circle.
Table stall_table(const Stall& stall);
/// One row a message size: times of the model, the schedule with barriers and without, and the fastest run
/// without a schedule, by name; the time of a run that did not end well is empty.
Table latency_table(const Comparison& comparison);
/// One row for each traffic without a schedule and routing, one column of times a message size.
Table baseline_table(const Comparison& comparison);
/// One row a run, the schedule's and the others: virtual channels, time, time over the schedule's, blocked
/// cycles, outcome, and which is the strongest without a schedule.
Table comparison_table(const Comparison& comparison);

/// Keys `traffic, routing, message_bytes, time_ns, blocked_cycles, credit_wait_cycles, missing_buffer_flits,
/// flit_hops, messages_delivered, messages_owed, memory_ok, outcome, stall, channels`, and `occupancy` if it
/// was recorded.
nlohmann::json run_document(const RunResult& run);
/// The keys of run_document(), and `schedule, topology, collective, ports, mode, valid, violations, steps,
/// model_time_ns, hop_overhead_ns, step_times_ns`, and `fit` if given.
nlohmann::json replay_document(const ReplayResult& replay,
                               const std::optional<TimingFit>& fit = std::nullopt);
/// Keys `schedule, topology, collective, steps, vcs, message_bytes, replays, fit, baselines`, and
/// `strongest`: for each size `message_bytes, traffic, routing, time_ns, time_over_schedule` of the fastest
/// run without a schedule, the names null if none ended well.
nlohmann::json comparison_document(const Comparison& comparison);

} // namespace nocturne
