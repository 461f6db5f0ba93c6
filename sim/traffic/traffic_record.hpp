// What is written down of traffic while it runs: the packets of a window of time, in batches.
#pragma once

#include "models/hardware/clock_domain.hpp"
#include "models/hardware/delivery_check.hpp"
#include "sim/simulation/confidence_interval.hpp"
#include "sim/traffic/latency_counts.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// The window that is measured, cut into batches of equal length.
struct Window {
    Cycle begin = 0;        ///< first cycle
    Cycle batch_cycles = 1; ///< length of a batch, 1 or more
    std::size_t batches = 1;

    Cycle end() const { return begin + batch_cycles * batches; }
    /// The batch of a cycle; `batches` or more outside the window.
    std::size_t batch_of(Cycle cycle) const
    {
        return cycle < begin ? batches : static_cast<std::size_t>((cycle - begin) / batch_cycles);
    }
};

/// Latencies of the packets that are created in the window, whenever they arrive; rates of what is created,
/// and of what arrives, in the window. A batch has the packets created in it. Checks every packet (see
/// DeliveryCheck), also those outside the window.
class TrafficRecord final : public TrafficObserver {
public:
    /// `in_order`: as DeliveryCheck.
    TrafficRecord(const ClockDomain& domain, const Window& window, std::uint32_t processors, bool in_order);

    void packet_created(const Packet& packet) override;
    void packet_delivered(const Packet& packet, ProcessorId at) override;

    const DeliveryCheck& check() const { return check_; }
    /// Packets of the window that have been created, and those that have not arrived yet.
    std::uint64_t measured() const { return measured_; }
    std::uint64_t measured_under_way() const { return measured_ - latencies_.total(); }

    const LatencyCounts& latencies() const { return latencies_; }
    // By batch: latencies in cycles over packets.
    const std::vector<Batch>& latency() const { return latency_; }
    const std::vector<Batch>& queueing_latency() const { return queueing_; } ///< until the head is injected
    const std::vector<Batch>& network_latency() const { return network_; }   ///< from there on
    // By batch: flits.
    const std::vector<double>& created_flits() const { return created_flits_; }
    const std::vector<double>& delivered_flits() const { return delivered_flits_; }
    /// When the last packet arrived, 0 if none has.
    Cycle last_arrival() const { return last_arrival_; }

private:
    const ClockDomain& domain_;
    const Window window_;
    DeliveryCheck check_;
    LatencyCounts latencies_;
    std::vector<Batch> latency_;
    std::vector<Batch> queueing_;
    std::vector<Batch> network_;
    std::vector<double> created_flits_;
    std::vector<double> delivered_flits_;
    std::uint64_t measured_ = 0;
    Cycle last_arrival_ = 0;
};

} // namespace nocturne
