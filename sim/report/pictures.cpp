#include "sim/report/pictures.hpp"

#include "sim/report/baselines.hpp"
#include "sim/report/report.hpp"
#include "sim/report/timeline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
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

/// `1`, `2`, … up to the last step.
std::vector<std::string> step_names(const std::vector<ChannelOccupancy>& occupancy)
{
    std::uint32_t last = 0;
    for (const ChannelOccupancy& box : occupancy)
        last = std::max(last, box.step);
    std::vector<std::string> names;
    for (std::uint32_t step = 1; step <= last; ++step)
        names.push_back(std::to_string(step));
    return names;
}

/// Adds to each of the columns, which are equal parts of the time up to `end_ns`, the part of it that the
/// interval takes.
void add_interval(std::vector<double>& columns, double begin_ns, double end_ns, double last_ns)
{
    const double width = last_ns / static_cast<double>(columns.size());
    for (auto i = static_cast<std::size_t>(begin_ns / width); i < columns.size(); ++i) {
        const double from = width * static_cast<double>(i);
        if (from >= end_ns)
            return;
        columns[i] += std::max(0.0, std::min(end_ns, from + width) - std::max(begin_ns, from)) / width;
    }
}

/// Routers before processors (`P00`), `9` before `10`.
bool comes_before(const std::string& a, const std::string& b)
{
    const auto key = [](const std::string& name) {
        return std::tuple(name.starts_with('P'), name.size(), std::string_view(name));
    };
    return key(a) < key(b);
}

/// The channels of `names` by who sends on them, or by several of these.
std::string occupancy_heat(const RunResult& run, const std::vector<std::string>& names, double end_ns,
                           const std::string& title)
{
    constexpr std::size_t most_rows = 128;
    constexpr std::size_t columns = 200;
    const auto sender_of = [](const std::string& channel) { return channel.substr(0, channel.find("->")); };
    std::unordered_map<std::string, std::vector<double>> held; // by channel, whatever the virtual channel
    for (const ChannelOccupancy& box : run.occupancy) {
        std::vector<double>& parts = held[box.channel];
        parts.resize(columns);
        add_interval(parts, box.begin_ns, box.end_ns, end_ns);
    }
    std::set<std::string, decltype(&comes_before)> in_order(&comes_before);
    for (const std::string& name : names)
        in_order.insert(sender_of(name));
    Numbering senders;
    for (const std::string& sender : in_order)
        senders.number_of(sender);
    const std::size_t together = (senders.names().size() + most_rows - 1) / most_rows;
    const TimeUnit unit = unit_for(end_ns);
    HeatPlot plot{title,
                  {fmt::format("time ({})", unit.name), Scale::linear, 0.0, end_ns / unit.ns},
                  "channels out of routers and processors (P)",
                  {},
                  "part of the channels that messages hold",
                  {}};
    for (std::size_t i = 0; i < senders.names().size(); i += together) {
        const std::size_t last = std::min(i + together, senders.names().size()) - 1;
        plot.rows.push_back(last == i ? senders.names()[i]
                                      : fmt::format("{} … {}", senders.names()[i], senders.names()[last]));
    }
    plot.values.assign(plot.rows.size(), std::vector<double>(columns));
    std::vector<double> channels(plot.rows.size());
    for (const std::string& name : names) {
        const std::size_t row = senders.number_of(sender_of(name)) / together;
        ++channels[row];
        for (std::size_t i = 0; i < columns; ++i)
            plot.values[row][i] += std::min(1.0, held[name][i]);
    }
    for (std::size_t row = 0; row < plot.rows.size(); ++row)
        for (double& value : plot.values[row])
            value /= channels[row];
    return draw(plot);
}

} // namespace

LinePlot latency_plot(const Comparison& comparison)
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
    return plot;
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
    constexpr std::size_t most_channels = 100;
    constexpr std::size_t most_boxes = 4000;
    if (end_ns > 0 && (rows.names().size() > most_channels || run.occupancy.size() > most_boxes))
        return occupancy_heat(run, rows.names(), end_ns, title);

    const TimeUnit unit = unit_for(end_ns);
    GanttPlot plot{
        title, {fmt::format("time ({})", unit.name)}, "channel", {}, has_steps ? "step" : "source", {}, {}};
    Numbering sources;
    for (const ChannelOccupancy& box : run.occupancy) {
        const std::string source = box.message.substr(0, box.message.find('>'));
        plot.boxes.push_back({rows.number_of(box.channel), box.begin_ns / unit.ns, box.end_ns / unit.ns,
                              has_steps ? box.step - 1 : sources.number_of(source), box.message});
    }
    plot.rows = rows.names();
    plot.groups = sources.names();
    if (has_steps)
        plot.groups = step_names(run.occupancy);
    return draw(plot);
}

GanttPlot recovery_plot(const RecoveryResult& result)
{
    const std::vector<TimelineSpan> spans = timeline_of(result);
    double end_ns = 0;
    std::map<std::string, double> length_ns; // of all phases of a name
    for (const TimelineSpan& span : spans) {
        end_ns = std::max(end_ns, span.end_ns);
        length_ns[span.name] += span.end_ns - span.begin_ns;
    }
    const TimeUnit unit = unit_for(end_ns);
    GanttPlot plot{fmt::format("{}: {}", result.schedule, fmt::join(result.faults, ", ")),
                   {fmt::format("time ({})", unit.name)},
                   "",
                   {},
                   "",
                   {"phase", "fault"},
                   {}};
    Numbering rows;
    for (const TimelineSpan& span : spans)
        plot.boxes.push_back({rows.number_of(span.name), span.begin_ns / unit.ns, span.end_ns / unit.ns,
                              span.group == "faults" ? 1U : 0U, ""});
    for (const std::string& name : rows.names())
        plot.rows.push_back(fmt::format("{}, {:.4g} {}", name, length_ns[name] / unit.ns, unit.name));
    return plot;
}

} // namespace nocturne
