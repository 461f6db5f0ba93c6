// What is written down of traffic while it runs at the flit level.
#pragma once

#include "models/hardware/clock_domain.hpp"
#include "models/hardware/delivery_check.hpp"
#include "sim/traffic/packet_counts.hpp"

#include <cstdint>

namespace nocturne {

/// Counts packets, and checks every one (see DeliveryCheck), also those outside the window.
class TrafficRecord final : public TrafficObserver {
public:
    /// `in_order`: as DeliveryCheck.
    TrafficRecord(const ClockDomain& domain, const Window& window, std::size_t processors, bool in_order);

    void packet_created(const Packet& packet) override;
    void packet_delivered(const Packet& packet, ProcessorId at) override;

    const DeliveryCheck& check() const { return check_; }
    const PacketCounts& counts() const { return counts_; }

private:
    const ClockDomain& domain_;
    DeliveryCheck check_;
    PacketCounts counts_;
};

} // namespace nocturne
