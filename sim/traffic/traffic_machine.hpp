// A network with sources of synthetic traffic, whatever the level at which it is simulated.
#pragma once

#include "sim/traffic/flow_counts.hpp"
#include "sim/traffic/measure.hpp"
#include "sim/traffic/multicast_record.hpp"
#include "sim/traffic/packet_log.hpp"
#include "sim/traffic/traffic_record.hpp"
#include "sim/traffic/warm_up.hpp"

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nocturne {

/// What a machine is made of; all of it must outlive the machine.
struct TrafficSetup {
    const Topology& topology;
    std::span<const ClassTraffic> classes; ///< 1 or more
    const Routing& routing;                ///< that the network is made for
    const MeasuredNetwork& network;
    const Routing* around = nullptr; ///< that detours take; null: there are none
};

/// What writes down single packets, as far as that is asked for.
class PacketRecorder {
public:
    /// The network must outlive it, and the window, which is that of the run.
    PacketRecorder(const MessageNetwork& network, const PacketRecords& records, double cycle_ns,
                   const Window& window, std::vector<std::string> names);

    /// Of packets that the log gives this class; null if nothing of them is written.
    MessageObserver* observer_of(PacketLog::Class of);

    void end_window();
    /// Closes the log.
    void finish();
    /// Class by class; empty if they are not asked for.
    std::vector<FlowLatency> flows(std::uint64_t measured_cycles, bool is_steady) const;

private:
    const double cycle_ns_;
    const std::vector<std::string> names_;
    const MessageNetwork& network_;
    const Window& window_;
    const bool has_flows_;
    std::optional<PacketLog> log_;
    std::deque<FlowCounts> flows_; ///< by class
    std::vector<std::string> classes_of_flows_;
    std::deque<LoggedClass> classes_;
    std::deque<MessageObservers> observers_;
};

/// What measure_traffic() runs, phase by phase.
struct TrafficMachine {
    /// `end`: the last cycle that it will be run to. Throws as measure_traffic().
    TrafficMachine(const TrafficSetup& setup, const Window& window, std::uint64_t end,
                   const MeasurementPlan& plan);

    /// Of all classes.
    const PacketCounts& counts() const { return total ? total->counts() : records.front().counts(); }
    /// From the present cycle on packets are measured.
    void begin_window(std::uint64_t cycle);
    /// Packets so far, and those that faults have taken.
    std::uint64_t created() const;
    std::uint64_t lost() const;
    /// Throws as checked_stall().
    std::optional<Stall> stall() const;

    const std::unique_ptr<MessageNetwork> network;
    std::deque<TrafficRecord> records; ///< by class
    std::optional<TotalCounts> total;  ///< of more than one class
    /// By class; nothing of one that sends unicasts.
    std::deque<std::optional<MulticastRecord>> multicasts;
    PacketRecorder packets;
    WarmUpSeries warm_up;
    TrafficSources sources;
};

} // namespace nocturne
