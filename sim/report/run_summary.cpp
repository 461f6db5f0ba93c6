// What runs say at first sight: replays, recoveries, traces, requests and replies, contracts, Benes networks.
#include "sim/report/pictures.hpp"
#include "sim/report/recovery_results.hpp"
#include "sim/report/report.hpp"
#include "sim/report/summaries.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>

namespace nocturne {

namespace {

using Json = nlohmann::ordered_json;

/// The time over the sizes, beside the model's.
LinePlot replay_plot(const std::vector<ReplayResult>& replays)
{
    Comparison series;
    series.schedule = replays.front().schedule;
    series.vcs = replays.front().run.vcs;
    series.replays = replays;
    for (const ReplayResult& replay : replays)
        series.message_bytes.push_back(replay.run.message_bytes);
    return latency_plot(series);
}

/// `torus:4x4, xy`: what a row has in those of these fields in which rows differ.
std::string differences_of(const Json& row, const Json& rows, std::initializer_list<const char*> members)
{
    std::vector<std::string> parts;
    for (const char* const member : members)
        if (std::ranges::any_of(rows, [&](const Json& other) { return other.at(member) != row.at(member); }))
            parts.push_back(row.at(member).is_string() ? row.at(member).get<std::string>()
                                                       : fmt::format("{} {}", member, row.at(member).dump()));
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// One field over another, a curve for each label; nothing of fewer than two points.
template <class Label>
void draw_rows(Summary& summary, const Json& rows, std::pair<const char*, Axis> x,
               std::pair<const char*, Axis> y, Label label_of)
{
    LinePlot plot{y.second.label + " over " + x.second.label, x.second, y.second, {}};
    for (const Json& row : rows) {
        const auto at = number_in(row, x.first), value = number_in(row, y.first);
        if (!at || !value)
            continue;
        const std::string label = label_of(row);
        auto curve = std::ranges::find(plot.curves, label, &Curve::label);
        if (curve == plot.curves.end())
            curve = plot.curves.insert(curve, Curve{label, {}});
        curve->points.emplace_back(*at, *value);
    }
    for (Curve& curve : plot.curves)
        std::ranges::sort(curve.points);
    if (std::ranges::any_of(plot.curves, [](const Curve& curve) { return curve.points.size() > 1; }))
        summary.picture = std::move(plot);
}

bool has_stall(const Json& result)
{
    return result.contains("stall") && result["stall"].is_object();
}

/// The row with the least or the most of a field, of those that have it; null without one.
template <class Before>
const Json* extreme_of(const Json& rows, const char* member, Before before)
{
    const Json* found = nullptr;
    for (const Json& row : rows)
        if (const auto value = number_in(row, member);
            value && !has_stall(row) && (found == nullptr || before(*value, *number_in(*found, member))))
            found = &row;
    return found;
}

} // namespace

Summary summary_of_replay(const Json& result)
{
    const auto replays = nlohmann::json(result.at("replays")).get<std::vector<ReplayResult>>();
    if (replays.empty())
        return {"", "Nothing was run.", true};
    Summary summary{subject_of(result.at("replays").front()) + ", " + replays.front().mode, ""};
    double above = 0;
    bool is_free = true;
    for (const ReplayResult& replay : replays) {
        const std::string end = outcome(replay.run);
        if (end != "ok")
            summary.reasons.push_back(fmt::format("{}: {}{}", size_text(replay.run.message_bytes), end,
                                                  replay.run.stall ? ", " + replay.run.stall->reason : ""));
        if (replay.model_time_ns > 0)
            above = std::max(above, replay.run.time_ns / replay.model_time_ns - 1);
        is_free = is_free && replay.run.blocked_cycles == 0;
    }
    summary.is_bad = !summary.reasons.empty();
    const auto text_of = [](const ReplayResult& replay) {
        return fmt::format("{} at {}", time_text(replay.run.time_ns),
                           size_text(replay.bytes.value_or(replay.run.message_bytes)));
    };
    if (summary.is_bad)
        summary.headline =
            fmt::format("{} of {} did not end well.", summary.reasons.size(), counted(replays.size(), "run"));
    else
        summary.headline = fmt::format(
            "The schedule takes {}{}: at most {} % more than the model says{}; all data is correct.",
            text_of(replays.front()), replays.size() > 1 ? " and " + text_of(replays.back()) : "",
            short_number(100 * above), is_free ? ", and no flit is blocked" : "");
    if (replays.size() > 1)
        summary.picture = replay_plot(replays);
    summary.table = FieldTable{"replays",
                               {"message_bytes", "bytes", "model_time_ns", "time_ns",
                                "bus_bandwidth_gb_per_s", "blocked_cycles", "outcome"}};
    return summary;
}

namespace {

/// From the first of these points to the last.
Curve level_over(const std::vector<std::pair<double, double>>& points, std::string label, double level)
{
    return {.label = std::move(label),
            .points = {{points.front().first, level}, {points.back().first, level}},
            .stroke = Stroke::model};
}

} // namespace

Summary summary_of_audit(const Json& result)
{
    const Json &runs = list_in(result, "runs"), &rows = list_in(result, "rows");
    if (runs.empty())
        return {"", "Nothing was measured.", true};
    Summary summary{fmt::format("measured {}", subject_of({{"collective", runs.front().at("collective")},
                                                           {"topology", result.at("topology")}})),
                    text_in(runs.front(), "verdict") + '.'};
    LinePlot plot{.title = summary.subject,
                  .x = {.label = "size (bytes)", .scale = Scale::log2},
                  .y = {.label = "bus bandwidth (GB/s)", .from = 0.0},
                  .curves = {}};
    for (const Json& run : runs) {
        if (&run != &runs.front())
            summary.reasons.push_back(
                fmt::format("{}: {}.", collective_text(text_in(run, "collective")), text_in(run, "verdict")));
        Curve bound{.label = "bound", .points = {}, .stroke = Stroke::model};
        std::map<std::string, Curve> measured; // by place
        for (const Json& row : rows) {
            if (row.at("run") != run.at("run") || text_in(row, "note").starts_with("wrong results"))
                continue;
            const double bytes = row.at("bytes"), bandwidth = row.at("bus_bandwidth_gb_per_s");
            const std::string place = text_in(row, "place");
            Curve& curve = measured[place];
            curve.label = place.empty()   ? "measured"
                          : place == "in" ? "measured, in place"
                                          : "measured, out of place";
            curve.points.emplace_back(bytes, bandwidth);
            bound.points.emplace_back(bytes, 100 * bandwidth / row.at("share_percent").get<double>());
        }
        std::ranges::sort(bound.points);
        const std::string prefix =
            runs.size() > 1 ? fmt::format("run {}: ", run.at("run").get<std::uint64_t>()) : std::string();
        for (auto& [place, curve] : measured) {
            std::ranges::sort(curve.points);
            curve.label = prefix + curve.label;
            plot.curves.push_back(std::move(curve));
        }
        bound.label = prefix + bound.label;
        const bool is_above = std::ranges::any_of(rows, [&](const Json& row) {
            return row.at("run") == run.at("run") && number_in(row, "share_percent").value_or(0) > 100 &&
                   !text_in(row, "note").starts_with("wrong results");
        });
        for (const Json& limit : list_in(result, "limits"))
            if (is_above && !bound.points.empty() && limit.at("run") == run.at("run") &&
                text_in(limit, "limit") == "addition in switches")
                plot.curves.push_back(level_over(bound.points, prefix + "with addition in switches",
                                                 limit.at("bus_bandwidth_gb_per_s")));
        plot.curves.push_back(std::move(bound));
    }
    summary.picture = std::move(plot);
    summary.table = FieldTable{"rows",
                               {"run", "bytes", "place", "time_us", "least_time_us", "bus_bandwidth_gb_per_s",
                                "share_percent", "note"}};
    return summary;
}

Summary summary_of_recovery(const Json& result)
{
    const auto recovery = nlohmann::json(result).get<RecoveryResult>();
    Summary summary{subject_of(result) + "; what failed: " + listed(recovery.faults), ""};
    summary.is_bad = recovery.messages_delivered < recovery.messages_owed || !recovery.memory_ok;
    double replayed_ns = 0;
    for (const RecoveryPhase& phase : recovery.phases)
        if (phase.name.starts_with("replay"))
            replayed_ns += phase.end_ns - phase.begin_ns;
    summary.headline =
        fmt::format("{} messages were delivered {} in {}, of which finding the fault and a repair took {}.",
                    recovery.messages_delivered == recovery.messages_owed
                        ? fmt::format("All {}", recovery.messages_owed)
                        : fmt::format("Only {} of {}", recovery.messages_delivered, recovery.messages_owed),
                    recovery.memory_ok ? "intact" : "with wrong bytes", time_text(recovery.time_ns),
                    time_text(recovery.time_ns - replayed_ns));
    if (recovery.repair_steps > 0)
        summary.headline +=
            fmt::format(" The repair sends {} of them in {}", recovery.owed,
                        counted(recovery.repair_steps, "step")) +
            (recovery.routing == "source routes" ? fmt::format("; the schedule has {}.", recovery.steps)
                                                 : ".");
    if (!recovery.located.empty())
        summary.reasons.push_back("Located: " + listed(recovery.located, recovery.located.size()) + '.');
    if (recovery.dropped > 0)
        summary.reasons.push_back(
            fmt::format("{} deliveries were dropped: their processors are lost.", recovery.dropped));
    summary.table = FieldTable{"phases", {"name", "begin_ns", "time_ns"}};
    if (!recovery.phases.empty())
        summary.picture = recovery_plot(recovery);
    return summary;
}

Summary summary_of_trace(const Json& result)
{
    const std::string trace = text_in(result, "trace");
    Summary summary{trace.substr(trace.rfind('/') + 1) + " on " + text_in(result, "topology"), ""};
    summary.is_bad = has_stall(result);
    summary.headline = summary.is_bad ? "The run stopped: " + text_in(result["stall"], "reason")
                                      : fmt::format("{} messages in {}; a packet takes {} cycles on average.",
                                                    number_text(result, "messages"),
                                                    time_text(number_in(result, "time_ns").value_or(0)),
                                                    number_text(result, "average_packet_latency_cycles"));
    summary.table = FieldTable{"",
                               {"average_packet_latency_cycles", "median_packet_latency_cycles",
                                "p99_packet_latency_cycles", "maximum_packet_latency_cycles"}};
    return summary;
}

Summary summary_of_closed_loop(const Json& result)
{
    const Json& rows = list_in(result, "closed_loop");
    Summary summary{"requests and replies", ""};
    const auto stalled = std::ranges::count_if(rows, has_stall);
    summary.is_bad = stalled > 0;
    if (stalled > 0)
        summary.headline = fmt::format("{} of {} deadlocked. ", stalled, counted(rows.size(), "run"));
    if (const Json* const best = extreme_of(rows, "answered_rate", std::greater<>())) {
        summary.subject += " on " + text_in(*best, "topology");
        summary.headline += fmt::format(
            "{}{} requests are answered per processor and cycle, with {} outstanding: a round trip takes {} "
            "cycles on average.",
            rows.size() > 1 ? "At most " : "", number_text(*best, "answered_rate"),
            number_text(*best, "outstanding"), number_text(*best, "average_round_trip_cycles"));
    }
    draw_rows(summary, rows, {"outstanding", {"outstanding requests per processor", Scale::linear, 0.0}},
              {"answered_rate", {"answered requests (per processor and cycle)", Scale::linear, 0.0}},
              [&](const Json& row) {
                  return differences_of(row, rows, {"topology", "routing", "pattern", "vcs", "seed"});
              });
    summary.table = FieldTable{"closed_loop",
                               {"topology", "routing", "pattern", "vcs", "outstanding", "answered_rate",
                                "average_round_trip_cycles", "p99_round_trip_cycles"}};
    return summary;
}

namespace {

/// The bounds, longest first, and below each what was seen.
GanttPlot contract_plot(const Json& contracts)
{
    constexpr std::size_t most_contracts = 8;
    std::vector<const Json*> longest;
    for (const Json& contract : contracts)
        longest.push_back(&contract);
    std::ranges::stable_sort(longest, std::greater<>(), [](const Json* contract) {
        return number_in(*contract, "latency_ns").value_or(0);
    });
    longest.resize(std::min(longest.size(), most_contracts));
    GanttPlot plot{
        "Latencies of the contracts", {"latency of a message (ns)"}, "", {}, "", {"bound", "seen"}, {}};
    for (const Json* const contract : longest)
        for (const bool is_bound : {true, false}) {
            const auto latency = number_in(*contract, is_bound ? "latency_ns" : "seen_latency_ns");
            if (!latency)
                continue;
            plot.boxes.push_back({plot.rows.size(), 0, *latency, is_bound ? 0U : 1U, ""});
            plot.rows.push_back(is_bound ? fmt::format("{} to {}", text_in(*contract, "source"),
                                                       text_in(*contract, "destination"))
                                         : "seen");
        }
    return plot;
}

} // namespace

Summary summary_of_contracts(const Json& result)
{
    const Json& contracts = list_in(result, "contracts");
    Summary summary{counted(contracts.size(), "contract") + " on " + text_in(result, "topology"), ""};
    summary.table = FieldTable{"contracts",
                               {"source", "destination", "mbytes_per_s", "slot_mbytes_per_s", "latency_ns",
                                "seen_latency_ns", "seen_percent", "violations"}};
    if (!contracts.empty())
        summary.picture = contract_plot(contracts);
    const Json* const longest = extreme_of(contracts, "latency_ns", std::greater<>());
    summary.headline = "No message takes longer than " +
                       time_text(longest == nullptr ? 0 : number_in(*longest, "latency_ns").value_or(0));
    if (!result.contains("check") || !result["check"].is_object()) {
        summary.headline += ", by the table of slots; it was not simulated.";
        return summary;
    }
    const Json& check = result["check"];
    const double broken =
        number_in(check, "violations").value_or(0) + number_in(check, "late_packets").value_or(0);
    summary.is_bad = broken > 0 || has_stall(check);
    if (summary.is_bad)
        summary.headline = fmt::format("The contracts were broken {} times in {} cycles.",
                                       short_number(broken), number_text(check, "check_cycles"));
    else
        summary.headline += fmt::format(", and none did in {} cycles in which the flows sent all they may.",
                                        number_text(check, "check_cycles"));
    return summary;
}

Summary summary_of_benes(const Json& result)
{
    const Json& points = list_in(result, "points");
    Summary summary{counted(points.size(), "design") + " of Benes networks", "No latency was measured."};
    const char* const clocks = "mean_latency_clocks";
    const Json* const best = extreme_of(points, clocks, std::less<>());
    const Json* const worst = extreme_of(points, clocks, std::greater<>());
    if (best != nullptr)
        summary.headline = fmt::format(
            "{} with {} randomization is the fastest: {} clocks for a permutation on average; the slowest of "
            "{} takes {}.",
            text_in(*best, "network"), text_in(*best, "randomization"), number_text(*best, clocks),
            counted(points.size(), "design"), number_text(*worst, clocks));
    draw_rows(summary, points, {"columns", {"columns of switches"}},
              {clocks, {"mean latency of a permutation (clocks)", Scale::linear, 0.0}},
              [&](const Json& point) {
                  const std::string rest = differences_of(point, points, {"randomization", "permutations"}),
                                    inputs = number_text(point, "switch_size");
                  return fmt::format("{0}x{0} switches{1}{2}", inputs, rest.empty() ? "" : ", ", rest);
              });
    summary.table = FieldTable{"points",
                               {"network", "columns", "link_bits", "randomization", "permutations",
                                "mean_latency_clocks", "maximum_latency_clocks"}};
    return summary;
}

} // namespace nocturne
