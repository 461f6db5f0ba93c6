#include "sim/report/pictures.hpp"

#include "sim/report/baselines.hpp"
#include "sim/report/plot.hpp"
#include "sim/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace nocturne {
namespace {

struct TimeUnit {
    const char* name;
    double ns;
};

/// The largest unit of which `time_ns` is more than a few.
TimeUnit unit_for(double time_ns)
{
    if (time_ns >= 5e6)
        return {"ms", 1e6};
    if (time_ns >= 5e3)
        return {"µs", 1e3};
    return {"ns", 1};
}

/// Adds a point for every run that ended well; says in the label how many did not.
Curve latency_curve(std::string label, const std::vector<const RunResult*>& runs, TimeUnit unit)
{
    Curve curve{std::move(label), {}};
    std::map<std::string, unsigned> failures;
    for (const RunResult* run : runs) {
        if (run == nullptr)
            continue;
        if (const std::string end = outcome(*run); end != "ok")
            ++failures[end];
        else
            curve.points.emplace_back(run->message_bytes, run->time_ns / unit.ns);
    }
    for (const auto& [what, count] : failures)
        curve.label += fmt::format(" ({} of {}: {})", count, runs.size(), what);
    return curve;
}

/// One for each traffic without a schedule, as long as colours suffice to tell them apart; otherwise the
/// fastest of them at each size, and the slowest.
std::vector<Curve> baseline_curves(const Comparison& comparison, TimeUnit unit)
{
    constexpr std::size_t most_curves = 6; // beside the schedule and its model
    std::vector<BaselineSeries> series = baseline_series(comparison);
    std::vector<Curve> curves;
    if (series.size() <= most_curves) {
        for (const BaselineSeries& one : series)
            curves.push_back(latency_curve(one.label, one.runs, unit));
        return curves;
    }
    const auto is_self_timed = [](const BaselineSeries& one) { return one.label == self_timed_schedule; };
    for (const BaselineSeries& one : series)
        if (is_self_timed(one))
            curves.push_back(latency_curve(one.label, one.runs, unit));
    std::erase_if(series, is_self_timed);
    Curve fastest{fmt::format("fastest of {} runs without a schedule", series.size()), {}};
    Curve slowest{"slowest of them", {}};
    std::size_t failures = 0;
    for (std::size_t size = 0; size < comparison.message_bytes.size(); ++size) {
        std::vector<double> times;
        for (const BaselineSeries& one : series)
            if (one.runs[size] != nullptr && outcome(*one.runs[size]) == "ok")
                times.push_back(one.runs[size]->time_ns / unit.ns);
        failures += series.size() - times.size();
        if (times.empty())
            continue;
        const auto [least, most] = std::minmax_element(times.begin(), times.end());
        fastest.points.emplace_back(comparison.message_bytes[size], *least);
        slowest.points.emplace_back(comparison.message_bytes[size], *most);
    }
    if (failures > 0)
        slowest.label += fmt::format(" ({} did not end)", failures);
    curves.push_back(std::move(fastest));
    curves.push_back(std::move(slowest));
    return curves;
}

/// Numbers names in the order in which they are met.
class Numbering {
public:
    bool knows(const std::string& name) const { return numbers_.contains(name); }
    std::size_t number_of(const std::string& name)
    {
        const auto [place, is_new] = numbers_.emplace(name, names_.size());
        if (is_new)
            names_.push_back(name);
        return place->second;
    }
    const std::vector<std::string>& names() const { return names_; }

private:
    std::unordered_map<std::string, std::size_t> numbers_;
    std::vector<std::string> names_;
};

/// `1`, `2`, … as people and papers count steps.
std::vector<std::string> step_names(const std::vector<ChannelOccupancy>& occupancy)
{
    std::uint32_t last = 0;
    for (const ChannelOccupancy& box : occupancy)
        last = std::max(last, box.step);
    std::vector<std::string> names;
    for (std::uint32_t step = 0; step <= last; ++step)
        names.push_back(std::to_string(step + 1));
    return names;
}

} // namespace

std::string latency_picture(const Comparison& comparison)
{
    std::vector<const RunResult*> replays;
    double longest_ns = 0;
    for (const ReplayResult& replay : comparison.replays) {
        replays.push_back(&replay.run);
        longest_ns = std::max(longest_ns, replay.run.time_ns);
    }
    const TimeUnit unit = unit_for(longest_ns);

    LinePlot plot{fmt::format("{}, {} virtual channel{}", comparison.schedule, comparison.vcs,
                              comparison.vcs == 1 ? "" : "s"),
                  {"message size (bytes)", Scale::log2},
                  {fmt::format("time of the collective ({})", unit.name), Scale::log10},
                  {latency_curve("schedule", replays, unit)}};
    for (Curve& curve : baseline_curves(comparison, unit))
        plot.curves.push_back(std::move(curve));
    Curve model{"model: (t0 + m t1) steps", {}, Stroke::model};
    for (const ReplayResult& replay : comparison.replays)
        model.points.emplace_back(replay.run.message_bytes, replay.model_time_ns / unit.ns);
    plot.curves.push_back(std::move(model));
    return draw(plot);
}

std::string occupancy_picture(const RunResult& run, const std::string& title)
{
    const bool has_steps = std::any_of(run.occupancy.begin(), run.occupancy.end(),
                                       [](const ChannelOccupancy& box) { return box.step > 1; });
    double end_ns = 0;
    Numbering used;
    for (const ChannelOccupancy& box : run.occupancy) {
        end_ns = std::max(end_ns, box.end_ns);
        used.number_of(box.channel);
    }
    Numbering rows;
    for (const ChannelUse& use : run.channels)
        if (used.knows(use.channel))
            rows.number_of(use.channel);

    const TimeUnit unit = unit_for(end_ns);
    GanttPlot plot{
        title, {fmt::format("time ({})", unit.name)}, "channel", {}, has_steps ? "step" : "source", {}, {}};
    Numbering sources;
    for (const ChannelOccupancy& box : run.occupancy) {
        const std::string source = box.message.substr(0, box.message.find('>'));
        plot.boxes.push_back({rows.number_of(box.channel), box.begin_ns / unit.ns, box.end_ns / unit.ns,
                              has_steps ? box.step : sources.number_of(source), box.message});
    }
    plot.rows = rows.names();
    plot.groups = sources.names();
    if (has_steps)
        plot.groups = step_names(run.occupancy);
    return draw(plot);
}

} // namespace nocturne
