// One simulation of synthetic traffic, in this process.
#pragma once

#include "models/endpoints/traffic_sources.hpp"
#include "models/network/configuration.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/port_model.hpp"
#include "models/traffic/trace.hpp"
#include "sim/report/traffic_results.hpp"
#include "sim/simulation/network_model.hpp"
#include "sim/traffic/packet_counts.hpp"

#include <cstdint>
#include <span>

namespace nocturne {

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

struct MeasuredNetwork {
    HardwareConfig hardware = {};
    PortModel ports = one_port;
    NetworkModel model = NetworkModel::flit;
};

/// Is the order of a pair's packets kept? Where there is one way only, and no second virtual channel or
/// injection link in which a packet could overtake another.
bool keeps_order(const Routing& routing, const MeasuredNetwork& network);

/// Only one simulation at the flit level fits a process (SystemC elaborates once): see run_jobs(). Throws
/// std::invalid_argument for what check_load() refuses, plan and configuration out of range, a pattern of
/// another number of processors, and adaptive routing at the message level; std::logic_error if a packet does
/// not arrive exactly once, whole, and in order where the routing promises it.
TrafficPoint measure_traffic(const Topology& topology, const Routing& routing, const MeasuredNetwork& network,
                             const Traffic& traffic, const MeasurementPlan& plan);

/// Replays a trace to its end; the names in the result are left empty. Throws as
/// measure_traffic(), and what TraceReplay throws.
TraceResult measure_trace(const Topology& topology, const Routing& routing, const MeasuredNetwork& network,
                          std::span<const TraceMessage> trace);

} // namespace nocturne
