#include "sim/report/traffic_results.hpp"

#include "sim/report/columns.hpp"
#include "sim/report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace nocturne {

namespace {

/// A row of the table of curves.
struct CurvePoint {
    const TrafficCurve* curve;
    const TrafficPoint* point;
};

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
    if (label.empty())
        label = curve.pattern;
    if (curve.highest_steady_load)
        label += fmt::format(" (saturates at {:.3f})", *curve.highest_steady_load);
    return label;
}

std::string title_of(std::span<const TrafficCurve> curves)
{
    const TrafficCurve& first = curves.front();
    const auto shared = [&](std::string TrafficCurve::*member) {
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

} // namespace

/// What stands in the object under its own name, beside the members of `latency`.
namespace named_fields {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TrafficPoint, load, measured_cycles, offered_flit_rate, accepted_flit_rate,
                                   accepted_flit_rate_error, blocked_cycles, credit_wait_cycles, saturated,
                                   saturation_reason, measured_packets, packets, cycles, flit_hops, stall)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TraceResult, model, topology, routing, trace, vcs, messages, cycles,
                                   time_ns, blocked_cycles, credit_wait_cycles, flit_hops, stall)

} // namespace named_fields

void to_json(nlohmann::json& json, const TrafficPoint& point)
{
    json = point.latency;
    named_fields::to_json(json, point);
    if (!point.channels.empty())
        json["channels"] = point.channels;
}

void from_json(const nlohmann::json& json, TrafficPoint& point)
{
    json.get_to(point.latency);
    named_fields::from_json(json, point);
    if (json.contains("channels"))
        json.at("channels").get_to(point.channels);
}

void to_json(nlohmann::json& json, const TraceResult& result)
{
    json = result.latency;
    named_fields::to_json(json, result);
}

void from_json(const nlohmann::json& json, TraceResult& result)
{
    json.get_to(result.latency);
    named_fields::from_json(json, result);
}

Table traffic_table(std::span<const TrafficCurve> curves)
{
    std::vector<CurvePoint> rows;
    for (const TrafficCurve& curve : curves)
        for (const TrafficPoint& point : curve.points)
            rows.push_back({&curve, &point});
    const auto curve = [](auto member) { return [=](const CurvePoint& row) { return row.curve->*member; }; };
    const auto point = [](auto member) { return [=](const CurvePoint& row) { return row.point->*member; }; };
    const auto latency = [](auto member) {
        return [=](const CurvePoint& row) { return row.point->latency.*member; };
    };
    const auto vcs = [](const CurvePoint& row) { return std::to_string(row.curve->vcs); };
    const auto seed = [](const CurvePoint& row) { return std::to_string(row.curve->seed); };
    const auto state = [](const CurvePoint& row) {
        return row.point->stall ? "deadlocked" : row.point->saturated ? "saturated" : "steady";
    };
    return table_of(
        "Traffic", rows,
        {{"topology", "", curve(&TrafficCurve::topology)},
         {"routing", "", curve(&TrafficCurve::routing)},
         {"pattern", "", curve(&TrafficCurve::pattern)},
         {"arrivals", "", curve(&TrafficCurve::arrivals)},
         {"packet", "flits", curve(&TrafficCurve::packet_flits)},
         {"VCs", "", vcs}, // like the seed a name of the run: folded where there is one only
         {"seed", "", seed},
         {"load", "", point(&TrafficPoint::load), 4},
         {"accepted", "", point(&TrafficPoint::accepted_flit_rate), 4},
         {"error", "", point(&TrafficPoint::accepted_flit_rate_error), 4},
         {"average", "cycles", latency(&PacketLatency::average_packet_latency_cycles), 2},
         {"average error", "cycles", latency(&PacketLatency::average_packet_latency_error_cycles), 2},
         {"queueing", "cycles", latency(&PacketLatency::average_queueing_latency_cycles), 2},
         {"network", "cycles", latency(&PacketLatency::average_network_latency_cycles), 2},
         {"median", "cycles", latency(&PacketLatency::median_packet_latency_cycles)},
         {"p95", "cycles", latency(&PacketLatency::p95_packet_latency_cycles)},
         {"p99", "cycles", latency(&PacketLatency::p99_packet_latency_cycles)},
         {"maximum", "cycles", latency(&PacketLatency::maximum_packet_latency_cycles)},
         {"packets", "", point(&TrafficPoint::measured_packets)},
         {"blocked", "cycles", point(&TrafficPoint::blocked_cycles)},
         {"credit wait", "cycles", point(&TrafficPoint::credit_wait_cycles)},
         {"state", "", state}});
}

double ChannelLoad::mean() const
{
    return utilisation.empty() ? 0
                               : std::accumulate(utilisation.begin(), utilisation.end(), 0.0) /
                                     static_cast<double>(utilisation.size());
}

namespace {

std::vector<ChannelLoad> busiest_first(std::vector<ChannelLoad> channels)
{
    std::stable_sort(channels.begin(), channels.end(),
                     [](const ChannelLoad& a, const ChannelLoad& b) { return a.mean() > b.mean(); });
    return channels;
}

} // namespace

Table channel_load_table(const TrafficPoint& point)
{
    const auto busiest = [](const ChannelLoad& load) {
        return load.utilisation.empty() ? 0
                                        : *std::max_element(load.utilisation.begin(), load.utilisation.end());
    };
    return table_of(
        "Use of the channels", busiest_first(point.channels),
        {{"channel", "", &ChannelLoad::channel},
         {"utilisation", "%", [](const ChannelLoad& load) { return 100 * load.mean(); }, 2},
         {"busiest batch", "%", [=](const ChannelLoad& load) { return 100 * busiest(load); }, 2}});
}

std::string channel_heat_picture(const TrafficPoint& point, const std::string& title,
                                 std::uint64_t warm_up_cycles)
{
    const auto begin = static_cast<double>(warm_up_cycles);
    HeatPlot plot{title,
                  {"time (cycles)", Scale::linear, begin, begin + static_cast<double>(point.measured_cycles)},
                  "channel, the busiest first",
                  {},
                  "part of its cycles in which flits enter a channel",
                  {}};
    for (ChannelLoad& load : busiest_first(point.channels)) {
        plot.rows.push_back(std::move(load.channel));
        plot.values.push_back(std::move(load.utilisation));
    }
    return draw(plot);
}

Table trace_table(const TraceResult& result)
{
    const auto latency = [](auto member) {
        return [=](const TraceResult& trace) { return trace.latency.*member; };
    };
    return table_of("Trace", std::span(&result, 1),
                    {{"topology", "", &TraceResult::topology},
                     {"routing", "", &TraceResult::routing},
                     {"trace", "", &TraceResult::trace},
                     {"VCs", "", &TraceResult::vcs},
                     {"messages", "", &TraceResult::messages},
                     {"time", "cycles", &TraceResult::cycles},
                     {"time", "ns", &TraceResult::time_ns, 1},
                     {"average", "cycles", latency(&PacketLatency::average_packet_latency_cycles), 2},
                     {"queueing", "cycles", latency(&PacketLatency::average_queueing_latency_cycles), 2},
                     {"network", "cycles", latency(&PacketLatency::average_network_latency_cycles), 2},
                     {"median", "cycles", latency(&PacketLatency::median_packet_latency_cycles)},
                     {"p95", "cycles", latency(&PacketLatency::p95_packet_latency_cycles)},
                     {"p99", "cycles", latency(&PacketLatency::p99_packet_latency_cycles)},
                     {"maximum", "cycles", latency(&PacketLatency::maximum_packet_latency_cycles)},
                     {"blocked", "cycles", &TraceResult::blocked_cycles},
                     {"credit wait", "cycles", &TraceResult::credit_wait_cycles}});
}

std::optional<double> saturated_from(const TrafficCurve& curve)
{
    std::optional<double> least = curve.lowest_saturated_load;
    for (const TrafficPoint& point : curve.points)
        if (point.saturated)
            least = std::min(point.load, least.value_or(point.load));
    return least;
}

std::string load_latency_picture(std::span<const TrafficCurve> curves)
{
    LinePlot plot;
    plot.x = {"offered load (flits per processor and cycle)", Scale::linear, 0.0, std::nullopt};
    plot.y = {"average packet latency (cycles)", Scale::linear, 0.0, std::nullopt};
    // Near saturation latencies have no end: what is of interest is up to some times that of an idle network.
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (const TrafficCurve& curve : curves) {
        Curve line{label_of(curve, curves), {}, Stroke::measured};
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
    return draw(plot);
}

} // namespace nocturne
