// What a test sends through a network of the message-level model, and what comes out of it.
#pragma once

#include "models/worm/worm_network.hpp"

#include <cstdint>
#include <vector>

namespace nocturne::test {

struct WormArrival {
    std::uint32_t number = 0; ///< in the order of sending, from 0
    std::uint64_t sent = 0;   ///< when its last flit left; 0: it has not
    std::uint64_t arrived = 0;
    bool is_lost = false; ///< says the network

    friend bool operator==(const WormArrival&, const WormArrival&) = default;
};

/// Fails the test when a message comes twice, before it has left, or to another processor.
class WormMessenger final : public MessageClient {
public:
    struct Message {
        ProcessorId source;
        ProcessorId destination;
        std::uint32_t flits;
        std::uint64_t at = 0; ///< when it enters the source queue
    };

    WormMessenger(const Topology& topology, const HardwareConfig& config, PortModel ports,
                  unsigned vc_classes = 1)
        : network_(topology, config, ports, vc_classes)
    {
        network_.attach(*this);
    }

    /// Sends at `message.at`, which is now or later.
    void send(const Message& message, const Route& route);
    WormNetwork& network() { return network_; }
    /// By number; `arrived` is 0 of those that have not come.
    const std::vector<WormArrival>& arrivals() const { return arrivals_; }
    std::size_t arrived() const { return arrived_; }

    void message_sent(const NetworkMessage& message) override;
    void message_arrived(const NetworkMessage& message, ProcessorId at) override;
    void message_lost(const NetworkMessage& message) override;
    void timer(std::uint32_t code) override;

private:
    WormNetwork network_;
    std::vector<Message> messages_;
    std::vector<Route> routes_;
    std::vector<WormArrival> arrivals_;
    std::size_t arrived_ = 0;
};

} // namespace nocturne::test
