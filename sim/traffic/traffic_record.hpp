// What is written down of traffic while it runs.
#pragma once

#include "models/endpoints/delivery_check.hpp"
#include "sim/traffic/packet_counts.hpp"

#include <cstdint>

namespace nocturne {

/// Counts packets, and checks every one (see DeliveryCheck), also those outside the window.
class TrafficRecord final : public MessageObserver {
public:
    /// `in_order`: as DeliveryCheck.
    TrafficRecord(const MessageNetwork& network, const Window& window, std::size_t processors, bool in_order);

    void message_created(const NetworkMessage& message) override;
    void message_delivered(const NetworkMessage& message, ProcessorId at) override;

    const DeliveryCheck& check() const { return check_; }
    const PacketCounts& counts() const { return counts_; }

private:
    const MessageNetwork& network_;
    DeliveryCheck check_;
    PacketCounts counts_;
};

} // namespace nocturne
