// One simulation of synthetic traffic, in this process.
#pragma once

#include "models/endpoints/traffic_sources.hpp"
#include "models/network/configuration.hpp"
#include "models/network/down_time.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/faults.hpp"
#include "models/topology/port_model.hpp"
#include "models/traffic/rank_programs.hpp"
#include "models/traffic/trace.hpp"
#include "sim/report/traffic_results.hpp"
#include "sim/simulation/network_model.hpp"
#include "sim/traffic/packet_counts.hpp"
#include "sim/traffic/packet_log.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace nocturne {

/// What is written down of single packets, beyond the counts.
struct PacketRecords {
    PacketLogPlan log = {};
    bool flows = false;     ///< the results have `flows`
    bool histogram = false; ///< the results have `histogram`
};

/// What is written down of a trace.
struct TraceRecords {
    PacketRecords packets = {};
    std::uint32_t channel_parts = 0; ///< of the time, for TraceResult::channels; 0: the result has none
    bool buffers = false;            ///< TraceResult::buffers is filled; at the flit level, see BufferUse
    ByteSink timeline = {};          ///< takes timeline_json() of TraceTimeline; empty: nothing is written
};

/// When a simulation measures.
///
/// Warm-up: a fixed number of cycles from the empty network on, of which nothing is counted. Window: packets
/// that are created in it are measured; it is cut into batches for the confidence intervals. Drain: traffic
/// goes on, unmeasured, until the last measured packet has arrived; then the sources stop, and the network
/// runs empty to show that nothing is lost.
///
/// A point is saturated if in the window fewer flits arrive than are created, of all sources together or of
/// one of them, by more than chance explains (the difference by batches, Student's t, probability of error
/// 0.5 % each), if the traffic asks more of a link than it carries (highest_demand()), if a source queue was
/// full (Traffic::queue_packets) before the window's end, or if measured packets are still under way when the
/// drain has taken as long as it may.
struct MeasurementPlan {
    std::uint64_t warm_up_cycles = 10'000;
    std::uint64_t window_cycles = 50'000; ///< rounded up to a multiple of `batches`
    std::uint32_t batches = 20;           ///< 2 or more, at most window_cycles
    std::uint64_t drain_cycles = 50'000;  ///< at most
    /// Batches after which a point that is seen to be saturated ends, the rates being those until then; 0:
    /// only with the window.
    std::uint32_t saturated_batches = 5;
    bool records_channels = false; ///< TrafficPoint::channels is filled
    bool records_buffers = false;  ///< TrafficPoint::buffers is filled; at the flit level, see BufferUse
    /// The window begins when MSER-5 (see WarmUpSeries) finds the end of the transient in what has been seen
    /// so far, looked for after a thousand cycles, twice as many, and so on, and at the latest after
    /// `warm_up_cycles`; TrafficPoint::warm_up_reason says which.
    bool finds_warm_up = false;
    PacketRecords records = {};

    /// Longest warm-up, window or drain.
    static constexpr std::uint64_t most_cycles = std::uint64_t{1} << 40;

    /// Throws std::invalid_argument naming what is out of range.
    void validate() const;
};

/// Its measured cycles: the first is that after the warm-up, cycle 0 not counted. Throws as
/// MeasurementPlan::validate().
Window window_of(const MeasurementPlan& plan);

/// Throws std::invalid_argument if simulated time ends before that cycle.
void require_time_for(const MessageNetwork& network, std::uint64_t end, double cycle_ns);

/// Parts of the network that fail while traffic runs, and what the sources do about it.
struct TrafficFaults {
    Faults parts = {}; ///< none: nothing fails
    DownTime down = {};
    /// Cycles after the fault, and after its end, in which sources learn of it and change their routes, see
    /// Reroutes; nothing: they never do.
    std::optional<std::uint64_t> reroute_after = {};

    bool any() const { return !parts.channels.empty() || !parts.routers.empty(); }
};

/// The routing that detours take: `auto` on what the faults leave, in classes of virtual channels behind
/// those of `routing`, so that detours and other routes cannot bring each other into a deadlock. Throws
/// std::invalid_argument for an adaptive routing, and if the faults disconnect the network.
Routing routing_around_faults(const Topology& topology, const Routing& routing,
                              const HardwareConfig& hardware, const Faults& faults);

struct MeasuredNetwork {
    HardwareConfig hardware = {};
    PortModel ports = one_port;
    NetworkModel model = NetworkModel::flit;
    TrafficFaults faults = {};
};

/// One of several kinds of traffic that run at the same time. What it names must outlive what is made of it.
struct ClassTraffic {
    std::string name;
    const Traffic& traffic;
    const Routing& routing;    ///< in the classes of virtual channels that this kind of traffic may use
    std::uint8_t priority = 0; ///< see MessageNetwork::Sending
};

/// Is the order of a pair's packets kept? Where there is one way only, and no second virtual channel or
/// injection link in which a packet could overtake another.
bool keeps_order(const Routing& routing, const MessageNetwork& network, PortModel ports);

/// Only one simulation at the flit level fits a process (SystemC elaborates once): see run_jobs(). Throws
/// std::invalid_argument for what check_load() refuses, plan and configuration out of range, a pattern of
/// another number of processors, and adaptive routing at the message level; std::logic_error if a packet does
/// not arrive exactly once, whole, and in order where the routing promises it.
TrafficPoint measure_traffic(const Topology& topology, const Routing& routing, const MeasuredNetwork& network,
                             const Traffic& traffic, const MeasurementPlan& plan);

/// The same for several kinds of traffic at once, which share source queues and links; the network is made
/// for `vc_classes`, those of all routings. With more than one, TrafficPoint::classes is filled. Throws as
/// measure_traffic(). Detours of all classes share virtual channels.
TrafficPoint measure_classes(const Topology& topology, std::span<const ClassTraffic> classes,
                             const VcClasses& vc_classes, const MeasuredNetwork& network,
                             const MeasurementPlan& plan);

/// Replays a trace to its end; the names in the result are left empty. Throws as
/// measure_traffic(), and what TraceReplay throws.
TraceResult measure_trace(const Topology& topology, const Routing& routing, const MeasuredNetwork& network,
                          std::span<const TraceMessage> trace, const TraceRecords& records = {});
/// The same for a trace that is read while it is replayed, see TraceReplay; `window`: messages ahead.
TraceResult measure_trace(const Topology& topology, const Routing& routing, const MeasuredNetwork& network,
                          TraceReader& trace, std::size_t window, const TraceRecords& records = {},
                          std::uint32_t classes = 1);
/// Virtual channels that the programs need over the routing, of `vcs` that a link has: with servers, answers
/// have their own. Throws as vc_classes_of() of requests and replies.
VcClasses vc_classes_of(const RankPrograms& programs, const Routing& routing, unsigned vcs);
/// The same for the programs of ranks, until the last operation is over; see ProgramReplay. With servers the
/// routing must be decided at the source.
TraceResult measure_programs(const Topology& topology, const Routing& routing, const MeasuredNetwork& network,
                             const RankPrograms& programs, const TraceRecords& records = {});

} // namespace nocturne
