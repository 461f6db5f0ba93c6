// What a comparison says at first sight.
#include "sim/report/baselines.hpp"
#include "sim/report/pictures.hpp"
#include "sim/report/report.hpp"
#include "sim/report/summaries.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne {

namespace {

/// Less is as good: two decimals of a ratio are shown.
constexpr double as_good = 0.005;

/// The schedule and its strongest opponent at one size, both of which ended well.
struct Duel {
    std::uint64_t bytes;
    double ratio; ///< time of the opponent over that of the schedule

    bool is_won() const { return ratio >= 1 + as_good; }
    bool is_lost() const { return 1 / ratio >= 1 + as_good; }
    std::string winner() const { return is_won() ? "schedule" : is_lost() ? "without" : "equal"; }
};

std::vector<Duel> duels_of(const Comparison& comparison)
{
    std::vector<Duel> duels;
    for (std::size_t i = 0; i < comparison.replays.size(); ++i) {
        const RunResult& scheduled = comparison.replays[i].run;
        const RunResult* const strongest = strongest_baseline(comparison, comparison.message_bytes.at(i));
        if (strongest != nullptr && outcome(scheduled) == "ok" && scheduled.time_ns > 0)
            duels.push_back({comparison.message_bytes[i], strongest->time_ns / scheduled.time_ns});
    }
    return duels;
}

/// `1.46 times faster at 64 KiB`.
std::string result_text(const Duel& duel)
{
    const std::string at = " at " + size_text(duel.bytes);
    if (duel.is_won())
        return short_number(duel.ratio) + " times faster" + at;
    if (duel.is_lost())
        return short_number(1 / duel.ratio) + " times slower" + at;
    return "as fast" + at;
}

/// `from 4 KiB on`: at which of these sizes, ascending, it wins.
std::string where_won(const std::vector<Duel>& duels)
{
    const auto wins = std::ranges::count_if(duels, &Duel::is_won);
    if (wins == 0)
        return "at no size";
    if (wins == std::ssize(duels))
        return "at every size";
    const auto first_won = std::ranges::find_if(duels, &Duel::is_won);
    const auto first_lost = std::ranges::find_if_not(duels, &Duel::is_won);
    if (duels.end() - first_won == wins)
        return "from " + size_text(first_won->bytes) + " on";
    if (first_lost - duels.begin() == wins)
        return "up to " + size_text((first_lost - 1)->bytes);
    return fmt::format("at {} of {} sizes", wins, duels.size());
}

/// `deadlock at 64 B`, of runs of the schedule that did not end well.
std::vector<std::string> failures_of(const Comparison& comparison)
{
    std::vector<std::string> failures;
    for (const ReplayResult& replay : comparison.replays)
        if (const std::string end = outcome(replay.run); end != "ok")
            failures.push_back(fmt::format("{} at {}", end, size_text(replay.run.message_bytes)));
    return failures;
}

std::size_t opponents_in(const Comparison& comparison)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        baseline_series(comparison), [](const auto& series) { return series.label != self_timed_schedule; }));
}

Cell time_in(const RunResult* run)
{
    return run != nullptr && outcome(*run) == "ok" ? Cell(Real{run->time_ns, 0}) : Cell();
}

Table table_of_sizes(const Comparison& comparison)
{
    Table table{"Who is faster at each message size",
                {{"message size", "", Align::left},
                 {"schedule", "ns"},
                 {"fastest without", "ns"},
                 {"speed-up", ""},
                 {"winner", "", Align::left},
                 {"fastest without", "", Align::left}},
                {}};
    const std::vector<Duel> duels = duels_of(comparison);
    for (std::size_t i = 0; i < comparison.replays.size(); ++i) {
        const std::uint64_t bytes = comparison.message_bytes.at(i);
        const RunResult* const strongest = strongest_baseline(comparison, bytes);
        const auto duel = std::ranges::find(duels, bytes, &Duel::bytes);
        table.add_row({size_text(bytes), time_in(&comparison.replays[i].run), time_in(strongest),
                       duel == duels.end() ? Cell() : Cell(Real{duel->ratio, 2}),
                       duel == duels.end() ? Cell() : Cell(duel->winner()),
                       strongest == nullptr ? Cell() : Cell(strongest->traffic + ", " + strongest->routing)});
    }
    return table;
}

} // namespace

Comparison comparison_of(const nlohmann::json& result)
{
    Comparison comparison;
    fields_for<Comparison>().list().read(result, &comparison);
    comparison.message_bytes.clear();
    for (const auto& each : result.at("runs").get<std::vector<ComparedRun>>()) {
        if (each.run.traffic != "schedule") {
            comparison.baselines.push_back(each.run);
            continue;
        }
        ReplayResult& replay = comparison.replays.emplace_back();
        replay.run = each.run;
        replay.model_time_ns = each.model_time_ns.value_or(0);
        replay.hop_overhead_ns = each.hop_overhead_ns;
        comparison.message_bytes.push_back(each.run.message_bytes);
        comparison.vcs = each.run.vcs;
    }
    return comparison;
}

std::string headline_of(const Comparison& comparison)
{
    const std::vector<std::string> failures = failures_of(comparison);
    const std::string failed = failures.empty() ? "" : "The schedule failed: " + listed(failures) + ".";
    const std::vector<Duel> duels = duels_of(comparison);
    if (duels.empty())
        return failures.empty() ? "No run without a schedule ended well: there is nothing to compare with."
                                : failed;
    std::string text = fmt::format("The schedule wins {}: {}", where_won(duels), result_text(duels.back()));
    if (duels.size() > 1)
        text += ", " + result_text(duels.front());
    const std::size_t opponents = opponents_in(comparison);
    text += opponents == 1
                ? " than the same messages without it"
                : fmt::format(" than the fastest of {} ways to send the same messages without it", opponents);
    return (failed.empty() ? "" : failed + ' ') + text + '.';
}

std::string headline_of(std::span<const Comparison> comparisons)
{
    if (comparisons.size() == 1)
        return headline_of(comparisons.front());
    std::vector<std::pair<std::string, std::vector<std::string>>> by_place; // in the order of the first
    for (const Comparison& comparison : comparisons) {
        const std::vector<Duel> duels = duels_of(comparison);
        const std::string place = duels.empty() ? "at no size that could be compared" : where_won(duels);
        auto found = std::ranges::find(by_place, place, &decltype(by_place)::value_type::first);
        if (found == by_place.end())
            found = by_place.insert(by_place.end(), {place, {}});
        found->second.push_back(collective_text(comparison.collective) + " on " + comparison.topology);
    }
    // Where it wins is said first.
    const auto lost = std::ranges::find(by_place, "at no size", &decltype(by_place)::value_type::first);
    if (lost != by_place.end())
        std::rotate(lost, lost + 1, by_place.end());
    std::vector<std::string> parts;
    for (const auto& [place, subjects] : by_place)
        parts.push_back(fmt::format("{} with {}", place, listed(subjects)));
    return "The schedule wins " + listed(parts, parts.size()) + '.';
}

Summary summary_of_comparison(const nlohmann::ordered_json& result)
{
    const Comparison comparison = comparison_of(result);
    Summary summary{subject_of(result), headline_of(comparison), !failures_of(comparison).empty()};
    if (comparison.steps)
        summary.subject += ", " + counted(*comparison.steps, "step");
    LinePlot plot = latency_plot(comparison);
    if (std::ranges::any_of(plot.curves, [](const Curve& curve) { return !curve.points.empty(); }))
        summary.picture = std::move(plot);
    summary.table = table_of_sizes(comparison);
    return summary;
}

} // namespace nocturne
