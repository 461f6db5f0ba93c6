#include "sim/report/traffic_results.hpp"

#include "sim/report/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace nocturne {

namespace {

Cell real(const std::optional<double>& value, int digits)
{
    return value ? Cell(Real{*value, digits}) : Cell();
}

Cell count(const std::optional<std::uint64_t>& value)
{
    return value ? Cell(*value) : Cell();
}

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
    return title;
}

} // namespace

void to_json(nlohmann::json& json, const TrafficPoint& point)
{
    json = point.latency;
    json.update({{"load", point.load},
                 {"measured_cycles", point.measured_cycles},
                 {"offered_flit_rate", point.offered_flit_rate},
                 {"accepted_flit_rate", point.accepted_flit_rate},
                 {"accepted_flit_rate_error", point.accepted_flit_rate_error},
                 {"saturated", point.saturated},
                 {"saturation_reason", point.saturation_reason},
                 {"measured_packets", point.measured_packets},
                 {"packets", point.packets},
                 {"cycles", point.cycles},
                 {"flit_hops", point.flit_hops},
                 {"stall", point.stall}});
    if (!point.channels.empty())
        json["channels"] = point.channels;
}

void from_json(const nlohmann::json& json, TrafficPoint& point)
{
    json.get_to(point.latency);
    json.at("load").get_to(point.load);
    json.at("measured_cycles").get_to(point.measured_cycles);
    json.at("offered_flit_rate").get_to(point.offered_flit_rate);
    json.at("accepted_flit_rate").get_to(point.accepted_flit_rate);
    json.at("accepted_flit_rate_error").get_to(point.accepted_flit_rate_error);
    json.at("saturated").get_to(point.saturated);
    json.at("saturation_reason").get_to(point.saturation_reason);
    json.at("measured_packets").get_to(point.measured_packets);
    json.at("packets").get_to(point.packets);
    json.at("cycles").get_to(point.cycles);
    json.at("flit_hops").get_to(point.flit_hops);
    json.at("stall").get_to(point.stall);
    if (json.contains("channels"))
        json.at("channels").get_to(point.channels);
}

void to_json(nlohmann::json& json, const TraceResult& result)
{
    json = result.latency;
    json.update({{"topology", result.topology},
                 {"routing", result.routing},
                 {"trace", result.trace},
                 {"messages", result.messages},
                 {"cycles", result.cycles},
                 {"time_ns", result.time_ns},
                 {"flit_hops", result.flit_hops},
                 {"stall", result.stall}});
}

void from_json(const nlohmann::json& json, TraceResult& result)
{
    json.get_to(result.latency);
    json.at("topology").get_to(result.topology);
    json.at("routing").get_to(result.routing);
    json.at("trace").get_to(result.trace);
    json.at("messages").get_to(result.messages);
    json.at("cycles").get_to(result.cycles);
    json.at("time_ns").get_to(result.time_ns);
    json.at("flit_hops").get_to(result.flit_hops);
    json.at("stall").get_to(result.stall);
}

Table traffic_table(std::span<const TrafficCurve> curves)
{
    Table table{"Traffic",
                {{"topology", "", Align::left},
                 {"routing", "", Align::left},
                 {"pattern", "", Align::left},
                 {"arrivals", "", Align::left},
                 {"packet", "flits", Align::left},
                 {"seed", "", Align::left}, // a name of the run: folded where there is one only
                 {"load", ""},
                 {"accepted", ""},
                 {"error", ""},
                 {"average", "cycles"},
                 {"average error", "cycles"},
                 {"queueing", "cycles"},
                 {"network", "cycles"},
                 {"median", "cycles"},
                 {"p95", "cycles"},
                 {"p99", "cycles"},
                 {"maximum", "cycles"},
                 {"packets", ""},
                 {"state", "", Align::left}},
                {}};
    for (const TrafficCurve& curve : curves)
        for (const TrafficPoint& point : curve.points) {
            const PacketLatency& latency = point.latency;
            table.add_row(
                {curve.topology, curve.routing, curve.pattern, curve.arrivals, curve.packet_flits,
                 std::to_string(curve.seed), Real{point.load, 4}, Real{point.accepted_flit_rate, 4},
                 real(point.accepted_flit_rate_error, 4), real(latency.average_packet_latency_cycles, 2),
                 real(latency.average_packet_latency_error_cycles, 2),
                 real(latency.average_queueing_latency_cycles, 2),
                 real(latency.average_network_latency_cycles, 2), count(latency.median_packet_latency_cycles),
                 count(latency.p95_packet_latency_cycles), count(latency.p99_packet_latency_cycles),
                 count(latency.maximum_packet_latency_cycles), point.measured_packets,
                 point.stall       ? "deadlocked"
                 : point.saturated ? "saturated"
                                   : "steady"});
        }
    return table;
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
    Table table{"Use of the channels",
                {{"channel", "", Align::left}, {"utilisation", "%"}, {"busiest batch", "%"}},
                {}};
    for (const ChannelLoad& load : busiest_first(point.channels)) {
        const auto& batches = load.utilisation;
        const double most = batches.empty() ? 0 : *std::max_element(batches.begin(), batches.end());
        table.add_row({load.channel, Real{100 * load.mean(), 2}, Real{100 * most, 2}});
    }
    return table;
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
    Table table{"Trace",
                {{"topology", "", Align::left},
                 {"routing", "", Align::left},
                 {"trace", "", Align::left},
                 {"messages", ""},
                 {"time", "cycles"},
                 {"time", "ns"},
                 {"average", "cycles"},
                 {"queueing", "cycles"},
                 {"network", "cycles"},
                 {"median", "cycles"},
                 {"p95", "cycles"},
                 {"p99", "cycles"},
                 {"maximum", "cycles"}},
                {}};
    const PacketLatency& latency = result.latency;
    table.add_row({result.topology, result.routing, result.trace, result.messages, result.cycles,
                   Real{result.time_ns, 1}, real(latency.average_packet_latency_cycles, 2),
                   real(latency.average_queueing_latency_cycles, 2),
                   real(latency.average_network_latency_cycles, 2),
                   count(latency.median_packet_latency_cycles), count(latency.p95_packet_latency_cycles),
                   count(latency.p99_packet_latency_cycles), count(latency.maximum_packet_latency_cycles)});
    return table;
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
        if (!line.points.empty())
            plot.curves.push_back(std::move(line));
    }
    if (!curves.empty())
        plot.title = title_of(curves);
    if (!plot.curves.empty())
        plot.y.to = std::min(8 * least, 1.05 * most);
    return draw(plot);
}

} // namespace nocturne
