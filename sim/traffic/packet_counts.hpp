// What is counted of packets in a window of time, in batches.
#pragma once

#include "models/topology/topology.hpp"
#include "sim/simulation/confidence_interval.hpp"
#include "sim/traffic/latency_counts.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nocturne {

/// The window that is measured, cut into batches of equal length.
struct Window {
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    std::uint64_t begin = 0;        ///< first cycle; `never`: it is not known yet
    std::uint64_t batch_cycles = 1; ///< length of a batch, 1 or more
    std::size_t batches = 1;

    std::uint64_t end() const { return begin + batch_cycles * batches; }
    /// The batch of a cycle; `batches` or more outside the window.
    std::size_t batch_of(std::uint64_t cycle) const
    {
        return cycle < begin ? batches : static_cast<std::size_t>((cycle - begin) / batch_cycles);
    }
};

/// A packet that has arrived, in cycles of the simulation.
struct PacketTimes {
    ProcessorId source;
    std::uint64_t created;
    std::uint64_t injected; ///< its head
    std::uint64_t arrived;  ///< its last flit
    std::uint32_t flits;
    std::uint32_t hops = 0; ///< channels between routers
};

/// Latencies of the packets that are created in the window, whenever they arrive; rates of what is created,
/// and of what arrives, in the window. A batch has the packets created in it.
class PacketCounts {
public:
    PacketCounts(const Window& window, std::size_t processors);

    void created(ProcessorId source, std::uint64_t cycle, std::uint32_t flits);
    void arrived(const PacketTimes& packet);
    /// A fault has taken it, when `arrived` says.
    void lost(const PacketTimes& packet);
    void begin_window(std::uint64_t cycle) { window_.begin = cycle; }
    const Window& window() const { return window_; }

    /// Packets of the window that have been created, those that are lost, and those that are neither lost nor
    /// have arrived yet.
    std::uint64_t measured() const { return measured_; }
    std::uint64_t measured_lost() const { return measured_lost_; }
    std::uint64_t measured_under_way() const { return measured_ - measured_lost_ - latencies_.total(); }
    /// Channels between routers that those which have arrived have crossed, in all.
    std::uint64_t hops() const { return hops_; }

    const LatencyCounts& latencies() const { return latencies_; }
    // By batch: latencies in cycles over packets.
    const std::vector<Batch>& latency() const { return latency_; }
    const std::vector<Batch>& queueing_latency() const { return queueing_; } ///< until the head is injected
    const std::vector<Batch>& network_latency() const { return network_; }   ///< from there on
    // By batch: flits.
    const std::vector<double>& created_flits() const { return created_flits_; }
    const std::vector<double>& delivered_flits() const { return delivered_flits_; }
    const std::vector<double>& lost_flits() const { return lost_flits_; }
    /// By source: flits that it has created since the beginning, less those of them that have arrived or are
    /// lost.
    const std::vector<std::int64_t>& backlog() const { return backlog_; }
    /// When the last packet arrived, 0 if none has.
    std::uint64_t last_arrival() const { return last_arrival_; }

private:
    Window window_;
    LatencyCounts latencies_;
    std::vector<Batch> latency_;
    std::vector<Batch> queueing_;
    std::vector<Batch> network_;
    std::vector<double> created_flits_;
    std::vector<double> delivered_flits_;
    std::vector<double> lost_flits_;
    std::vector<std::int64_t> backlog_;
    std::uint64_t measured_ = 0;
    std::uint64_t measured_lost_ = 0;
    std::uint64_t hops_ = 0;
    std::uint64_t last_arrival_ = 0;
};

} // namespace nocturne
