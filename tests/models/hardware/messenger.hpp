// What a test sends through a network, and what comes out of it.
#pragma once

#include "models/hardware/network.hpp"
#include "models/routing/random.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace nocturne::test {

struct Message {
    ProcessorId source;
    ProcessorId destination;
    std::uint32_t flits;
    Cycle at = 0; ///< when it enters the source queue
    std::uint8_t priority = 0;

    friend bool operator==(const Message&, const Message&) = default;
};

/// From any processor to any, of 1 to `longest` flits each, which enter in cycles 1 to `cycles`.
struct Crowd {
    std::uint32_t messages;
    std::uint32_t longest;
    std::uint32_t cycles;
};
std::vector<Message> random_messages(const Topology& topology, const Crowd& crowd, SplitMix64& random);

struct Arrival {
    std::uint32_t message; ///< in the order of sending, from 0
    Cycle at;              ///< of its last flit

    friend bool operator==(const Arrival&, const Arrival&) = default;
};

/// Stands behind every network interface. Fails the test when a flit comes to a processor that it is not for,
/// out of order or twice, or when a packet comes with other contents than it was sent with.
class Messenger final : public Clocked {
public:
    explicit Messenger(Network& network);

    /// Sends at `message.at`, which is now or later; returns its number.
    std::uint32_t send(const Message& message, const Route& route);
    /// The same by a routing, which must outlive the messenger.
    std::uint32_t send(const Message& message, const Routing& routing);

    const std::vector<Message>& messages() const { return messages_; }
    /// In the order of arrival.
    const std::vector<Arrival>& arrivals() const { return arrivals_; }
    std::optional<Cycle> arrival_of(std::uint32_t message) const;
    /// When the last flit of a message left its source; nothing if it has not.
    std::optional<Cycle> sent_at(std::uint32_t message) const { return sent_at_[message]; }
    /// Messages whose rest a fault cut off, in the order in which that was noticed.
    const std::vector<std::uint32_t>& discarded() const { return discarded_; }
    /// Flits that came to where they were to go, of all messages and of one.
    std::uint64_t flits_arrived() const;
    std::uint32_t flits_arrived(std::uint32_t message) const { return flits_arrived_[message]; }
    /// When the last message came.
    Cycle last_arrival() const { return arrivals_.empty() ? 0 : arrivals_.back().at; }

    void on_event(std::uint32_t message, std::uint64_t) override;

private:
    struct Mailbox final : PacketClient {
        Mailbox(Messenger& messenger, ProcessorId processor) : owner(messenger), id(processor) {}
        void packet_sent(const Packet& packet) override;
        void flit_arrived(const Packet& packet, std::uint32_t sequence) override;
        void packet_arrived(const Packet& packet) override;
        void packet_discarded(const Packet& packet) override;
        Messenger& owner;
        ProcessorId id;
    };

    using MakePacket = std::function<PacketId(const Message&)>;

    std::uint32_t send(const Message& message, MakePacket make_packet);

    Network& network_;
    std::vector<std::unique_ptr<Mailbox>> mailboxes_;
    std::vector<Message> messages_;
    std::vector<MakePacket> make_packet_;       ///< by message
    std::vector<std::uint32_t> flits_arrived_;  ///< by message
    std::vector<std::optional<Cycle>> sent_at_; ///< by message
    std::vector<Arrival> arrivals_;
    std::vector<std::uint32_t> discarded_;
};

} // namespace nocturne::test
