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

    void multicast_begins(ProcessorId source, bool is_whole) override
    {
        others_.multicast_begins(source, is_whole);
    }
    void message_created(const NetworkMessage& message) override;
    void message_delivered(const NetworkMessage& message, ProcessorId at) override;
    void message_lost(const NetworkMessage& message) override;

    /// Somebody else who is told of the same packets, after this; it must outlive the run.
    void tell(MessageObserver& other) { others_.add(other); }
    /// From the present cycle on packets are measured: of a window that had no beginning.
    void begin_window(std::uint64_t cycle) { counts_.begin_window(cycle); }

    const DeliveryCheck& check() const { return check_; }
    const PacketCounts& counts() const { return counts_; }

private:
    const MessageNetwork& network_;
    DeliveryCheck check_;
    PacketCounts counts_;
    MessageObservers others_;
};

/// The counts of several records together.
class TotalCounts final : public MessageObserver {
public:
    TotalCounts(const MessageNetwork& network, const Window& window, std::size_t processors)
        : network_(network), counts_(window, processors)
    {
    }

    void message_created(const NetworkMessage& message) override
    {
        counts_.created(message.source, message.created, message.flits);
    }
    void message_delivered(const NetworkMessage& message, ProcessorId at) override;
    void message_lost(const NetworkMessage& message) override;
    void begin_window(std::uint64_t cycle) { counts_.begin_window(cycle); }

    const PacketCounts& counts() const { return counts_; }

private:
    const MessageNetwork& network_;
    PacketCounts counts_;
};

} // namespace nocturne
