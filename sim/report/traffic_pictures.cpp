// Curves and channels of traffic as pictures.
#include "sim/report/plot.hpp"
#include "sim/report/traffic_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace nocturne {

namespace {

/// In what a curve differs from others; nothing in what they all are the same.
std::string label_of(const TrafficCurve& curve, std::span<const TrafficCurve> curves)
{
    std::string label;
    for (const auto member : {&TrafficCurve::topology, &TrafficCurve::routing, &TrafficCurve::pattern,
                              &TrafficCurve::arrivals, &TrafficCurve::packet_flits})
        if (std::any_of(curves.begin(), curves.end(),
                        [&](const TrafficCurve& other) { return other.*member != curve.*member; }))
            label += (label.empty() ? "" : ", ") + curve.*member;
    if (std::any_of(curves.begin(), curves.end(),
                    [&](const TrafficCurve& other) { return other.vcs != curve.vcs; }))
        label += fmt::format("{}{} VC{}", label.empty() ? "" : ", ", curve.vcs, curve.vcs == 1 ? "" : "s");
    if (std::any_of(curves.begin(), curves.end(),
                    [&](const TrafficCurve& other) { return other.seed != curve.seed; }))
        label += fmt::format("{}seed {}", label.empty() ? "" : ", ", curve.seed);
    return label.empty() ? curve.pattern : label;
}

std::string title_of(std::span<const TrafficCurve> curves)
{
    const TrafficCurve& first = curves.front();
    const auto shared = [&](std::string TrafficCurve::* member) {
        return std::all_of(curves.begin(), curves.end(),
                           [&](const TrafficCurve& curve) { return curve.*member == first.*member; });
    };
    std::string title = "Latency of packets";
    for (const auto member : {&TrafficCurve::topology, &TrafficCurve::routing, &TrafficCurve::pattern})
        if (shared(member))
            title += ", " + first.*member;
    if (shared(&TrafficCurve::packet_flits))
        title += fmt::format(", {} flits", first.packet_flits);
    if (std::all_of(curves.begin(), curves.end(),
                    [&](const TrafficCurve& curve) { return curve.vcs == first.vcs; }))
        title += fmt::format(", {} VC{}", first.vcs, first.vcs == 1 ? "" : "s");
    return title;
}

std::vector<ChannelLoad> busiest_first(std::vector<ChannelLoad> channels)
{
    std::stable_sort(channels.begin(), channels.end(),
                     [](const ChannelLoad& a, const ChannelLoad& b) { return a.mean() > b.mean(); });
    return channels;
}

} // namespace

Table channel_load_table(std::vector<ChannelLoad> channels)
{
    return table_of("Use of the channels", busiest_first(std::move(channels)));
}

std::string channel_heat_picture(std::vector<ChannelLoad> channels, const std::string& title,
                                 std::uint64_t begin_cycle, std::uint64_t end_cycle)
{
    const std::size_t count = channels.size();
    HeatPlot plot{
        title,
        {"time (cycles)", Scale::linear, static_cast<double>(begin_cycle), static_cast<double>(end_cycle)},
        "channel, the busiest first",
        {},
        "part of its cycles in which flits enter a channel",
        {}};
    for (ChannelLoad& load : busiest_first(std::move(channels))) {
        if (load.mean() == 0 && !plot.rows.empty())
            break;
        plot.rows.push_back(std::move(load.channel));
        plot.values.push_back(std::move(load.utilisation));
    }
    if (const std::size_t unused = count - plot.rows.size(); unused > 0)
        plot.row_title += fmt::format(" ({} carried nothing)", unused);
    return draw(plot);
}

std::optional<double> saturated_from(const TrafficCurve& curve)
{
    std::optional<double> least = curve.lowest_saturated_load;
    for (const TrafficPoint& point : curve.points)
        if (point.saturated)
            least = std::min(point.load, least.value_or(point.load));
    return least;
}

std::vector<std::string> curve_labels(std::span<const TrafficCurve> curves)
{
    std::vector<std::string> labels;
    for (const TrafficCurve& curve : curves)
        labels.push_back(label_of(curve, curves));
    return labels;
}

LinePlot load_latency_plot(std::span<const TrafficCurve> curves)
{
    LinePlot plot;
    plot.x = {"offered load (flits per processor and cycle)", Scale::linear, 0.0, std::nullopt};
    plot.y = {"average packet latency (cycles)", Scale::linear, 0.0, std::nullopt};
    // Near saturation latencies have no end: what is of interest is up to some times that of an idle network.
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (const TrafficCurve& curve : curves) {
        Curve line{label_of(curve, curves), {}, Stroke::measured};
        if (curve.highest_steady_load)
            line.label += fmt::format(" (saturates at {:.3f})", *curve.highest_steady_load);
        for (const TrafficPoint& point : curve.points)
            if (point.latency.average_packet_latency_cycles) {
                line.points.emplace_back(point.load, *point.latency.average_packet_latency_cycles);
                least = std::min(least, line.points.back().second);
                most = std::max(most, line.points.back().second);
            }
        line.ends_at = saturated_from(curve);
        plot.curves.push_back(std::move(line));
    }
    if (!curves.empty())
        plot.title = title_of(curves);
    plot.end_meaning = "saturated from the mark on";
    plot.y.to = most > 0 ? std::min(8 * least, 1.05 * most) : 1;
    // Without a latency: where the curve would have begun.
    for (std::size_t i = 0; i < curves.size(); ++i)
        if (Curve& line = plot.curves[i]; line.points.empty() && !curves[i].points.empty()) {
            const double load = line.ends_at.value_or(curves[i].points.front().load);
            line.label +=
                line.ends_at ? fmt::format(", saturated from {:.4g} on", load) : ", no packet measured";
            line.ends_at = std::nullopt;
            line.points = {{load, 0}, {load, *plot.y.to}};
        }
    return plot;
}

} // namespace nocturne
