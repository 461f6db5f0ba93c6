// What synthetic traffic costs, as values, as a table and as a picture.
#pragma once

#include "sim/report/plot.hpp"
#include "sim/report/results.hpp"
#include "sim/report/table.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// Cycles that shares of the packets do not exceed; nothing as in PacketLatency.
struct LatencyQuantiles {
    std::optional<std::uint64_t> median;
    std::optional<std::uint64_t> p95;
    std::optional<std::uint64_t> p99;
    std::optional<std::uint64_t> maximum;

    friend bool operator==(const LatencyQuantiles&, const LatencyQuantiles&) = default;
};
Fields<LatencyQuantiles> fields_of(const LatencyQuantiles*);

/// Latencies of packets: from the cycle in which one is created to the one in which its last flit arrives.
/// Nothing where no packet was measured, or where there is no steady state. Of this and the other results see
/// the lists of fields for what they are, and their units.
struct PacketLatency {
    std::optional<double> average_packet_latency_cycles;
    std::optional<double> average_packet_latency_error_cycles;
    std::optional<double> average_queueing_latency_cycles;
    std::optional<double> average_network_latency_cycles;
    LatencyQuantiles quantiles;
    std::optional<double> average_hops;
    double cycle_ns = 1;

    friend bool operator==(const PacketLatency&, const PacketLatency&) = default;
};
Fields<PacketLatency> fields_of(const PacketLatency*);

/// How much of a channel was used, batch after batch of the window, or part after part of a trace's time.
struct ChannelLoad {
    std::string channel;
    std::vector<double> utilisation; ///< by batch
    std::uint64_t flits = 0;
    std::uint64_t packets = 0;

    /// Of all batches; 0 without one.
    double mean() const;
    /// Of the busiest batch.
    double most() const;

    friend bool operator==(const ChannelLoad&, const ChannelLoad&) = default;
};
Fields<ChannelLoad> fields_of(const ChannelLoad*);

/// Flits in the buffer of a virtual channel at an input of a router, over the window.
struct BufferOccupancy {
    std::string router;
    std::string channel;
    std::uint32_t vc = 0;
    std::uint32_t buffer_flits = 0;
    double mean_flits = 0;
    std::uint32_t maximum_flits = 0;
    std::uint64_t flits = 0;

    friend bool operator==(const BufferOccupancy&, const BufferOccupancy&) = default;
};
Fields<BufferOccupancy> fields_of(const BufferOccupancy*);

/// How many packets took so many cycles.
struct LatencyCount {
    std::uint64_t latency_cycles = 0;
    std::uint64_t packets = 0;
    double cycle_ns = 1;
    std::string traffic_class = {};

    friend bool operator==(const LatencyCount&, const LatencyCount&) = default;
};
Fields<LatencyCount> fields_of(const LatencyCount*);

/// Packets from one processor to another.
struct FlowLatency {
    std::string source;
    std::string destination;
    std::uint64_t packets = 0;
    double accepted_flit_rate = 0;
    std::optional<double> average_hops;
    std::optional<double> average_packet_latency_cycles;
    LatencyQuantiles quantiles;
    double cycle_ns = 1;
    std::string traffic_class = {};

    friend bool operator==(const FlowLatency&, const FlowLatency&) = default;
};
Fields<FlowLatency> fields_of(const FlowLatency*);

/// Multicast packets, each of which goes as a unicast to each of its destinations.
struct MulticastLatency {
    std::string sent_as;
    std::uint64_t multicasts = 0;
    std::optional<double> unicasts_per_multicast;
    std::optional<double> average_last_latency_cycles;
    std::optional<double> average_last_latency_error_cycles;
    std::optional<double> average_mean_latency_cycles;
    std::optional<std::uint64_t> p99_last_latency_cycles;
    std::optional<std::uint64_t> maximum_last_latency_cycles;
    double cycle_ns = 1;

    friend bool operator==(const MulticastLatency&, const MulticastLatency&) = default;
};
Fields<MulticastLatency> fields_of(const MulticastLatency*);

/// One of several kinds of traffic at one load.
struct ClassPoint {
    std::string name;
    double load = 0;
    double offered_flit_rate = 0;
    double accepted_flit_rate = 0;
    std::uint32_t priority = 0;
    PacketLatency latency;
    std::uint64_t measured_packets = 0;
    std::uint64_t packets = 0;
    std::uint64_t lost_packets = 0;
    std::optional<MulticastLatency> multicast = {};

    friend bool operator==(const ClassPoint&, const ClassPoint&) = default;
};
Fields<ClassPoint> fields_of(const ClassPoint*);

/// What faults cost traffic.
struct FaultCost {
    std::uint64_t lost_packets = 0;
    std::uint64_t lost_flits = 0;
    std::uint64_t measured_lost_packets = 0;
    std::uint64_t rerouted_packets = 0;
    std::uint64_t undeliverable_packets = 0;

    friend bool operator==(const FaultCost&, const FaultCost&) = default;
};
Fields<FaultCost> fields_of(const FaultCost*);

/// One load on one network.
struct TrafficPoint {
    double load = 0;
    std::uint64_t measured_cycles = 0;
    double offered_flit_rate = 0;
    double accepted_flit_rate = 0;
    std::optional<double> accepted_flit_rate_error;
    std::optional<std::uint64_t> blocked_cycles;
    std::optional<std::uint64_t> credit_wait_cycles;
    std::optional<std::uint64_t> head_wait_cycles;
    bool saturated = false;
    std::string saturation_reason; ///< empty if not saturated
    PacketLatency latency;
    std::uint64_t measured_packets = 0;
    std::uint64_t packets = 0;
    std::uint64_t time_cycles = 0;
    std::uint64_t flit_hops = 0;
    std::optional<Stall> stall;
    std::vector<ChannelLoad> channels = {};
    std::uint64_t warm_up_cycles = 0;
    std::string warm_up_reason = {}; ///< empty if it was fixed
    std::vector<ClassPoint> classes = {};
    std::vector<LatencyCount> histogram = {};
    std::vector<FlowLatency> flows = {};
    std::optional<FaultCost> faults = {};
    std::vector<BufferOccupancy> buffers = {};
    std::optional<MulticastLatency> multicast = {};

    friend bool operator==(const TrafficPoint&, const TrafficPoint&) = default;
};
Fields<TrafficPoint> fields_of(const TrafficPoint*);

/// Where a core of an application sits.
struct CorePlace {
    std::string core;
    std::string processor;

    friend bool operator==(const CorePlace&, const CorePlace&) = default;
};
Fields<CorePlace> fields_of(const CorePlace*);

inline constexpr const char* routing_taken_meaning = "Routing in use: what `auto` chose, for example.";

/// Points of one network under one kind of traffic, by ascending load.
struct TrafficCurve {
    std::string model = "flit"; ///< see NetworkModel
    std::string topology;
    std::string routing;
    std::string pattern;
    std::string arrivals;
    std::string packet_flits;
    std::uint32_t vcs = 1;
    std::uint64_t seed = 1;
    std::vector<TrafficPoint> points;
    std::optional<double> highest_steady_load;
    std::optional<double> lowest_saturated_load;
    std::vector<CorePlace> mapping = {};
    std::optional<double> mapping_cost = {};
    std::string mapping_origin = {};
    std::string routing_taken = {};
    std::string selection = {}; ///< empty if nothing is selected
    std::string scaled = {};    ///< empty but for a search of classes

    friend bool operator==(const TrafficCurve&, const TrafficCurve&) = default;
};
Fields<TrafficCurve> fields_of(const TrafficCurve*);

/// A trace, replayed.
struct TraceResult {
    std::string model = "flit"; ///< `flit` or `worm`: see NetworkModel
    std::string topology;
    std::string routing;
    std::string trace;
    std::uint32_t vcs = 1;
    std::uint32_t message_classes = 1; ///< of a trace that says them, each with virtual channels of its own
    std::optional<std::uint32_t> reply_vcs = {}; ///< of a trace of requests that are answered
    std::uint64_t messages = 0;
    std::uint64_t time_cycles = 0;
    double time_ns = 0;
    std::optional<std::uint64_t> captured_cycles = {}; ///< where the trace was captured, if it says so
    PacketLatency latency;
    std::optional<std::uint64_t> blocked_cycles;
    std::optional<std::uint64_t> credit_wait_cycles;
    std::optional<std::uint64_t> head_wait_cycles;
    std::uint64_t flit_hops = 0;
    std::optional<Stall> stall;
    std::vector<LatencyCount> histogram = {};
    std::vector<FlowLatency> flows = {};
    std::vector<ChannelLoad> channels = {};
    std::vector<BufferOccupancy> buffers = {};
    std::string multicast = {}; ///< as --multicast has it; empty if no message has several destinations
    std::string selection = {}; ///< empty if nothing is selected

    friend bool operator==(const TraceResult&, const TraceResult&) = default;
};
Fields<TraceResult> fields_of(const TraceResult*);

/// A row a channel, the busiest first.
Table channel_load_table(std::vector<ChannelLoad> channels);

/// SVG: channels, the busiest first, over the time from one cycle to another, coloured by their use. Throws
/// as draw(), also without channels.
std::string channel_heat_picture(std::vector<ChannelLoad> channels, const std::string& title,
                                 std::uint64_t begin_cycle, std::uint64_t end_cycle);

/// The lowest load of which it is known that it saturates; nothing if none is.
std::optional<double> saturated_from(const TrafficCurve& curve);

/// In what each of the curves differs from the others: `xy, 2 VCs`; the pattern if they do in nothing.
std::vector<std::string> curve_labels(std::span<const TrafficCurve> curves);

/// Average latency over offered load, a curve each, up to its last point that is not saturated and from
/// there, dotted, up to the first that is. The label is that of curve_labels(), and where the curve saturates
/// if that is known.
LinePlot load_latency_plot(std::span<const TrafficCurve> curves);

} // namespace nocturne
