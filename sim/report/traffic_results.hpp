// What synthetic traffic costs, as values, as a table and as a picture.
#pragma once

#include "sim/report/results.hpp"
#include "sim/report/table.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// Latencies of packets: from the cycle in which one is created to the one in which its last flit arrives.
/// Queueing: until its head leaves the network interface; network: the rest. Nothing where no packet was
/// measured, or where there is no steady state.
struct PacketLatency {
    std::optional<double> average_packet_latency_cycles;
    /// Half the width of the 95 % confidence interval, by batch means; nothing with too little to tell.
    std::optional<double> average_packet_latency_error_cycles;
    std::optional<double> average_queueing_latency_cycles;
    std::optional<double> average_network_latency_cycles;
    std::optional<std::uint64_t> median_packet_latency_cycles;
    std::optional<std::uint64_t> p95_packet_latency_cycles;
    std::optional<std::uint64_t> p99_packet_latency_cycles;
    std::optional<std::uint64_t> maximum_packet_latency_cycles;

    friend bool operator==(const PacketLatency&, const PacketLatency&) = default;
};

/// How much of a channel was used, batch after batch of the window.
struct ChannelLoad {
    std::string channel; ///< `00->01`; injection and ejection channels are `P3->00` and `00->P3`
    std::vector<double>
        utilisation;           ///< by batch: part of its cycles in which flits entered the channel, 0..1
    std::uint64_t flits = 0;   ///< of the whole run
    std::uint64_t packets = 0; ///< of the whole run

    /// Of all batches; 0 without one.
    double mean() const;

    friend bool operator==(const ChannelLoad&, const ChannelLoad&) = default;
};

/// One load on one network.
struct TrafficPoint {
    double load = 0;                   ///< asked for, flits per processor and cycle
    std::uint64_t measured_cycles = 0; ///< the window, or what there was of it: saturation may end it early
    double offered_flit_rate = 0;      ///< created in the window, flits per processor and cycle
    double accepted_flit_rate = 0;     ///< arrived in the window, flits per processor and cycle
    /// Half the width of the 95 % confidence interval of the accepted rate; nothing with too little to tell.
    std::optional<double> accepted_flit_rate_error;
    std::uint64_t blocked_cycles = 0;     ///< as RunResult's, of waits that ended in the measured cycles
    std::uint64_t credit_wait_cycles = 0; ///< likewise
    bool saturated = false;
    std::string saturation_reason; ///< one line; empty if not saturated
    PacketLatency latency;
    std::uint64_t measured_packets = 0; ///< created in the window
    std::uint64_t packets = 0; ///< created in the whole run; each arrived once, unless there is a stall
    std::uint64_t cycles = 0;  ///< until the network was empty
    std::uint64_t flit_hops = 0;
    std::optional<Stall> stall;             ///< a deadlock
    std::vector<ChannelLoad> channels = {}; ///< only if recording was asked for

    friend bool operator==(const TrafficPoint&, const TrafficPoint&) = default;
};

/// Points of one network under one kind of traffic, by ascending load.
struct TrafficCurve {
    std::string model = "flit"; ///< `flit` or `worm`: see NetworkModel
    std::string topology;
    std::string routing;
    std::string pattern;
    std::string arrivals;
    std::string packet_flits;
    std::uint32_t vcs = 1; ///< virtual channels of a link
    std::uint64_t seed = 1;
    std::vector<TrafficPoint> points;
    /// The highest load found that is not saturated, and the lowest one that is; only if they were searched
    /// for.
    std::optional<double> highest_steady_load;
    std::optional<double> lowest_saturated_load;

    friend bool operator==(const TrafficCurve&, const TrafficCurve&) = default;
};

/// A trace, replayed.
struct TraceResult {
    std::string model = "flit"; ///< `flit` or `worm`: see NetworkModel
    std::string topology;
    std::string routing;
    std::string trace;
    std::uint32_t vcs = 1; ///< virtual channels of a link
    std::uint64_t messages = 0;
    std::uint64_t cycles = 0; ///< from cycle 0 of the trace to the arrival of the last message
    double time_ns = 0;       ///< the same
    PacketLatency latency;
    std::uint64_t blocked_cycles = 0;     ///< as RunResult's
    std::uint64_t credit_wait_cycles = 0; ///< likewise
    std::uint64_t flit_hops = 0;
    std::optional<Stall> stall; ///< a deadlock

    friend bool operator==(const TraceResult&, const TraceResult&) = default;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PacketLatency, average_packet_latency_cycles,
                                   average_packet_latency_error_cycles, average_queueing_latency_cycles,
                                   average_network_latency_cycles, median_packet_latency_cycles,
                                   p95_packet_latency_cycles, p99_packet_latency_cycles,
                                   maximum_packet_latency_cycles)

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ChannelLoad, channel, utilisation, flits, packets)

/// One object with the members of `latency` among the others.
void to_json(nlohmann::json& json, const TrafficPoint& point);
void from_json(const nlohmann::json& json, TrafficPoint& point);
void to_json(nlohmann::json& json, const TraceResult& result);
void from_json(const nlohmann::json& json, TraceResult& result);

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TrafficCurve, model, topology, routing, pattern, arrivals, packet_flits,
                                   vcs, seed, points, highest_steady_load, lowest_saturated_load)

/// One row a point. Latencies of saturated points are empty.
Table traffic_table(std::span<const TrafficCurve> curves);

/// One row.
Table trace_table(const TraceResult& result);

/// A row a channel, the busiest first: its mean use, and that in the busiest batch.
Table channel_load_table(const TrafficPoint& point);

/// SVG: channels, the busiest first, over the time of the window, coloured by their use. `warm_up_cycles`:
/// where the window begins. Throws as draw(), also for a point without channels.
std::string channel_heat_picture(const TrafficPoint& point, const std::string& title,
                                 std::uint64_t warm_up_cycles);

/// The lowest load of which it is known that it saturates; nothing if none is.
std::optional<double> saturated_from(const TrafficCurve& curve);

/// SVG: average latency over offered load, a curve each, up to its last point that is not saturated and from
/// there, dotted, up to the first that is. The label says in what the curves differ, and where they saturate
/// if that is known. Throws as draw().
std::string load_latency_picture(std::span<const TrafficCurve> curves);

} // namespace nocturne
