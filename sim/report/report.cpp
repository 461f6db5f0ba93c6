#include "sim/report/report.hpp"

#include "sim/report/baselines.hpp"
#include "sim/report/columns.hpp"

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
    if (run.stall)
        return run.stall->cycle.empty() ? "stalled" : "deadlock";
    if (run.messages_delivered < run.messages_owed)
        return "incomplete";
    return run.memory_ok ? "ok" : "wrong memory";
}

std::string describe_blocking(const RunResult& run)
{
    if (run.blocked_cycles == 0)
        return "";
    std::string text = fmt::format("{} bytes: {} of {} blocked cycles are waits for credits",
                                   run.message_bytes, run.credit_wait_cycles, run.blocked_cycles);
    if (run.missing_buffer_flits > 0)
        text += fmt::format("; buffers lack up to {} flits for the time that a credit takes",
                            run.missing_buffer_flits);
    return text;
}

Table replay_table(std::span<const ReplayResult> replays)
{
    const auto run = [](auto member) {
        return [=](const ReplayResult& replay) { return replay.run.*member; };
    };
    return table_of("Replay", replays,
                    {{"schedule", "", &ReplayResult::schedule},
                     {"topology", "", &ReplayResult::topology},
                     {"collective", "", &ReplayResult::collective},
                     {"ports", "", &ReplayResult::ports},
                     {"mode", "", &ReplayResult::mode},
                     {"message", "bytes", run(&RunResult::message_bytes)},
                     {"steps", "", &ReplayResult::steps},
                     {"time", "ns", run(&RunResult::time_ns), 1},
                     {"model time", "ns", &ReplayResult::model_time_ns, 1},
                     {"hop overhead", "ns", &ReplayResult::hop_overhead_ns, 1},
                     {"blocked cycles", "", run(&RunResult::blocked_cycles)},
                     {"valid", "", [](const ReplayResult& replay) { return replay.valid ? "yes" : "no"; }},
                     {"outcome", "", [](const ReplayResult& replay) { return outcome(replay.run); }}});
}

Table step_table(const ReplayResult& replay)
{
    Table table{
        fmt::format("Steps of {}, {} bytes a message, {}", replay.schedule, replay.run.message_bytes,
                    replay.mode),
        {number("step"), number("time", "ns"), number("model time", "ns"), number("difference", "ns")},
        {}};
    const double model_ns = replay.steps == 0 ? 0 : replay.model_time_ns / replay.steps;
    for (std::size_t i = 0; i < replay.step_times_ns.size(); ++i)
        table.add_row({std::uint64_t{i + 1}, Real{replay.step_times_ns[i]}, Real{model_ns},
                       Real{replay.step_times_ns[i] - model_ns}});
    return table;
}

Table channel_table(const RunResult& run)
{
    return table_of("Use of the channels", run.channels,
                    {{"channel", "", &ChannelUse::channel},
                     {"flits", "", &ChannelUse::flits},
                     {"packets", "", &ChannelUse::packets},
                     {"utilisation", "%", [](const ChannelUse& use) { return 100 * use.utilisation; }, 1}});
}

Table fit_table(const TimingFit& fit)
{
    Table table{"Least-squares fit: time of a step = t0 + hop overhead + m t1",
                {text("quantity"), number("fitted"), number("model"), number("difference", "%")},
                {}};
    const auto add = [&](const char* name, double fitted, double model) {
        const Cell difference = model == 0 ? Cell() : Cell(Real{100 * (fitted / model - 1), 3});
        table.add_row({std::string(name), Real{fitted, 4}, Real{model, 4}, difference});
    };
    add("t0 (ns)", fit.t0_ns, fit.model_t0_ns);
    add("t1 (ns/byte)", fit.t1_ns_per_byte, fit.model_t1_ns_per_byte);
    table.add_row({std::string("hop overhead (ns)"), Real{fit.hop_overhead_ns, 4}, Cell(), Cell()});
    table.add_row({std::string("residual (ns)"), Real{fit.residual_ns, 4}, Cell(), Cell()});
    return table;
}

Table stall_table(const Stall& stall)
{
    return table_of(fmt::format("No progress at {:.1f} ns: {}", stall.time_ns, stall.reason), stall.cycle,
                    {{"message", "", &WaitingFor::message},
                     {"holds", "", &WaitingFor::channel},
                     {"vc", "", &WaitingFor::vc},
                     {"waits for", "", &WaitingFor::waits_for}});
}

Table latency_table(const Comparison& comparison)
{
    Table table{fmt::format("{} on {}: time of the collective, {} virtual channel{}", comparison.schedule,
                            comparison.topology, comparison.vcs, comparison.vcs == 1 ? "" : "s"),
                {number("message", "bytes"), number("model", "ns"), number("schedule", "ns"),
                 number("self-timed", "ns"), number("strongest without", "ns"), number("over schedule"),
                 text("which is")},
                {}};
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
        table.add_row({bytes, Real{replay.model_time_ns}, time_cell(&replay.run),
                       time_cell(self_timed_run(comparison, bytes)), time_cell(strongest),
                       over_schedule(strongest, replay.run, 2),
                       strongest == nullptr ? Cell() : Cell(label_of(strongest, i))});
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

Table comparison_table(const Comparison& comparison)
{
    Table table{fmt::format("{} on {}: schedule and contention", comparison.schedule, comparison.topology),
                {number("message", "bytes"), text("traffic"), text("routing"), number("VCs"),
                 number("time", "ns"), number("time over schedule"), number("blocked cycles"),
                 number("credit wait cycles"), text("outcome"), text("strongest")},
                {}};
    const std::vector<BaselineSeries> series = baseline_series(comparison);
    for (std::size_t i = 0; i < comparison.replays.size(); ++i) {
        const RunResult& scheduled = comparison.replays[i].run;
        const RunResult* strongest = strongest_baseline(comparison, scheduled.message_bytes);
        const auto add = [&](const RunResult& run) {
            table.add_row({run.message_bytes, run.traffic, run.routing, std::uint64_t{comparison.vcs},
                           time_cell(&run), over_schedule(&run, scheduled, 3), run.blocked_cycles,
                           run.credit_wait_cycles, outcome(run),
                           std::string(&run == strongest ? "yes" : "no")});
        };
        add(scheduled);
        for (const BaselineSeries& one : series)
            if (one.runs[i] != nullptr)
                add(*one.runs[i]);
    }
    return table;
}

nlohmann::json run_document(const RunResult& run)
{
    nlohmann::json document = run;
    document["outcome"] = outcome(run);
    if (run.occupancy.empty())
        document.erase("occupancy");
    return document;
}

nlohmann::json replay_document(const ReplayResult& replay, const std::optional<TimingFit>& fit)
{
    nlohmann::json document = replay;
    document.erase("run");
    document.update(run_document(replay.run));
    if (fit)
        document["fit"] = *fit;
    return document;
}

nlohmann::json comparison_document(const Comparison& comparison)
{
    nlohmann::json document = comparison;
    document["replays"] = nlohmann::json::array();
    for (const ReplayResult& replay : comparison.replays)
        document["replays"].push_back(replay_document(replay));
    document["baselines"] = nlohmann::json::array();
    for (const RunResult& run : comparison.baselines)
        document["baselines"].push_back(run_document(run));
    document["strongest"] = nlohmann::json::array();
    for (const ReplayResult& replay : comparison.replays) {
        nlohmann::json row{{"message_bytes", replay.run.message_bytes},
                           {"traffic", nullptr},
                           {"routing", nullptr},
                           {"time_ns", nullptr},
                           {"time_over_schedule", nullptr}};
        if (const RunResult* run = strongest_baseline(comparison, replay.run.message_bytes)) {
            row["traffic"] = run->traffic;
            row["routing"] = run->routing;
            row["time_ns"] = run->time_ns;
            if (outcome(replay.run) == "ok" && replay.run.time_ns > 0)
                row["time_over_schedule"] = run->time_ns / replay.run.time_ns;
        }
        document["strongest"].push_back(std::move(row));
    }
    return document;
}

} // namespace nocturne
