#include "sim/report/report.hpp"

#include "sim/report/baselines.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {
namespace {

Column text(std::string name)
{
    return {std::move(name), "", Align::left};
}
Column number(std::string name, std::string unit = {})
{
    return {std::move(name), std::move(unit), Align::right};
}

/// Nothing for a run that is missing or did not end well: its time says nothing.
Cell time_cell(const RunResult* run)
{
    return run != nullptr && outcome(*run) == "ok" ? Cell(Real{run->time_ns}) : Cell();
}

/// Time over the schedule's; nothing unless both ended well.
Cell over_schedule(const RunResult* run, const RunResult& scheduled, int digits)
{
    const bool is_comparable =
        run != nullptr && outcome(*run) == "ok" && outcome(scheduled) == "ok" && scheduled.time_ns > 0;
    return is_comparable ? Cell(Real{run->time_ns / scheduled.time_ns, digits}) : Cell();
}

const RunResult* self_timed_run(const Comparison& comparison, std::uint64_t message_bytes)
{
    const auto found =
        std::find_if(comparison.baselines.begin(), comparison.baselines.end(), [&](const RunResult& run) {
            return run.traffic == self_timed_schedule && run.message_bytes == message_bytes;
        });
    return found == comparison.baselines.end() ? nullptr : &*found;
}

} // namespace

std::string outcome(const RunResult& run)
{
    if (run.traffic.empty())
        return "not run";
    if (run.stall)
        return run.stall->cycle.empty() ? "stalled" : "deadlock";
    if (run.messages_delivered < run.messages_owed)
        return "incomplete";
    return run.memory_ok ? "ok" : "wrong memory";
}

std::string describe_blocking(const RunResult& run)
{
    if (run.blocked_cycles.value_or(0) == 0)
        return "";
    std::string text =
        fmt::format("{} bytes: flits were blocked for {} cycles in all, for {} of them by missing credits",
                    run.message_bytes, *run.blocked_cycles, run.credit_wait_cycles.value_or(0));
    if (run.missing_buffer_flits > 0)
        text += fmt::format("; buffers are up to {} flits too small for the round trip of a credit",
                            run.missing_buffer_flits);
    return text;
}

Table step_table(const ReplayResult& replay)
{
    Table table{
        fmt::format("Steps of {}, {} bytes a message, {}", replay.schedule, replay.run.message_bytes,
                    replay.mode),
        {number("step"), number("time", "ns"), number("model time", "ns"), number("difference", "ns")},
        {}};
    const double model_ns = replay.steps.value_or(0) == 0 ? 0 : replay.model_time_ns / *replay.steps;
    for (std::size_t i = 0; i < replay.step_times_ns.size(); ++i)
        table.add_row({std::uint64_t{i + 1}, Real{replay.step_times_ns[i]}, Real{model_ns},
                       Real{replay.step_times_ns[i] - model_ns}});
    return table;
}

Table stall_table(const Stall& stall)
{
    return table_of(fmt::format("No progress at {:.1f} ns: {}", stall.time_ns, stall.reason), stall.cycle);
}

Table latency_table(const Comparison& comparison)
{
    const std::string where = fmt::format(" on {}", comparison.topology);
    const bool is_said =
        comparison.schedule.find(where) != std::string::npos; // searches name what they find so
    const bool is_of_chunks = !comparison.replays.empty() && comparison.replays.front().bytes;
    Table table{fmt::format("{}{}: time of the collective, {} virtual channel{}", comparison.schedule,
                            is_said ? "" : where, comparison.vcs, comparison.vcs == 1 ? "" : "s"),
                {number("message", "bytes"), number("model", "ns"), number("schedule", "ns"),
                 number("self-timed", "ns"), number("fastest without", "ns"), number("speed-up"),
                 text("which is")},
                {}};
    if (is_of_chunks)
        table.columns.insert(table.columns.begin(), number("vector", "bytes"));
    const std::vector<BaselineSeries> series = baseline_series(comparison);
    const auto label_of = [&](const RunResult* run, std::size_t size) {
        return std::find_if(series.begin(), series.end(),
                            [&](const BaselineSeries& one) { return one.runs[size] == run; })
            ->label;
    };
    for (std::size_t i = 0; i < comparison.replays.size(); ++i) {
        const ReplayResult& replay = comparison.replays[i];
        const std::uint64_t bytes = comparison.message_bytes.at(i);
        const RunResult* strongest = strongest_baseline(comparison, bytes);
        std::vector<Cell> row{bytes,
                              Real{replay.model_time_ns},
                              time_cell(&replay.run),
                              time_cell(self_timed_run(comparison, bytes)),
                              time_cell(strongest),
                              over_schedule(strongest, replay.run, 2),
                              strongest == nullptr ? Cell() : Cell(label_of(strongest, i))};
        if (is_of_chunks)
            row.insert(row.begin(), Cell(*replay.bytes));
        table.add_row(std::move(row));
    }
    return table;
}

Table baseline_table(const Comparison& comparison)
{
    Table table{"The same messages without a schedule: time (ns) by message size (bytes)",
                {text("traffic"), text("routing")},
                {}};
    for (const std::uint64_t bytes : comparison.message_bytes)
        table.columns.push_back(number(std::to_string(bytes)));
    for (const BaselineSeries& one : baseline_series(comparison)) {
        const auto first = std::find_if(one.runs.begin(), one.runs.end(),
                                        [](const RunResult* run) { return run != nullptr; });
        if (first == one.runs.end() || (*first)->traffic == self_timed_schedule)
            continue;
        std::vector<Cell> row{(*first)->traffic, (*first)->routing};
        for (const RunResult* run : one.runs)
            row.push_back(run == nullptr || outcome(*run) == "ok" ? time_cell(run) : Cell(outcome(*run)));
        table.add_row(std::move(row));
    }
    return table;
}

} // namespace nocturne
