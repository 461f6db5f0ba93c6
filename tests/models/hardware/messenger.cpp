#include "tests/models/hardware/messenger.hpp"

#include "tests/catch.hpp"

#include <algorithm>
#include <numeric>

namespace nocturne::test {

namespace {

/// A few bytes that no other message has.
std::vector<std::byte> payload_of(std::uint32_t message)
{
    std::vector<std::byte> bytes(1 + message % 7);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>(message >> (i % 4 * 8) ^ i * 37);
    return bytes;
}

} // namespace

std::vector<Message> random_messages(const Topology& topology, const Crowd& crowd, SplitMix64& random)
{
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    std::vector<Message> messages;
    for (std::uint32_t i = 0; i < crowd.messages; ++i) {
        const ProcessorId source = random.below(processors), destination = random.below(processors);
        const std::uint32_t flits = 1 + random.below(crowd.longest);
        messages.push_back({source, destination, flits, 1 + random.below(crowd.cycles)});
    }
    return messages;
}

Messenger::Messenger(Network& network) : network_(network)
{
    for (ProcessorId id = 0; id < network.topology().processor_count(); ++id) {
        mailboxes_.push_back(std::make_unique<Mailbox>(*this, id));
        network.interface(id).attach(*mailboxes_.back());
    }
}

std::uint32_t Messenger::send(const Message& message, const Route& route)
{
    network_.check_route(message.source, message.destination, route);
    return send(message, [this, route](const Message& to_send) {
        return network_.make_packet(to_send.source, to_send.destination, to_send.flits, route);
    });
}

std::uint32_t Messenger::send(const Message& message, const Routing& routing)
{
    return send(message, [this, &routing](const Message& to_send) {
        return network_.make_packet(to_send.source, to_send.destination, to_send.flits, routing);
    });
}

std::uint32_t Messenger::send(const Message& message, MakePacket make_packet)
{
    const auto number = static_cast<std::uint32_t>(messages_.size());
    messages_.push_back(message);
    make_packet_.push_back(std::move(make_packet));
    flits_arrived_.push_back(0);
    sent_at_.emplace_back();
    if (message.at == network_.domain().now())
        on_event(number, 0);
    else
        network_.domain().schedule(message.at, *this, number);
    return number;
}

void Messenger::on_event(std::uint32_t number, std::uint64_t)
{
    const Message& message = messages_[number];
    const PacketId id = make_packet_[number](message);
    Packet& packet = network_.packets()[id];
    packet.priority = message.priority;
    packet.step = number;
    packet.payload = payload_of(number);
    network_.interface(message.source).send(id);
}

std::optional<Cycle> Messenger::arrival_of(std::uint32_t message) const
{
    const auto found = std::find_if(arrivals_.begin(), arrivals_.end(),
                                    [&](const Arrival& arrival) { return arrival.message == message; });
    if (found == arrivals_.end())
        return std::nullopt;
    return found->at;
}

std::uint64_t Messenger::flits_arrived() const
{
    return std::accumulate(flits_arrived_.begin(), flits_arrived_.end(), std::uint64_t{0});
}

void Messenger::Mailbox::packet_discarded(const Packet& packet)
{
    const Message& message = owner.messages_[packet.step];
    if (packet.destination != id || packet.source != message.source)
        FAIL_CHECK("processor " << id << " discards message " << packet.step << ", which is not for it");
    if (owner.flits_arrived_[packet.step] >= message.flits)
        FAIL_CHECK("message " << packet.step << " is discarded although all of it came");
    owner.discarded_.push_back(packet.step);
}

void Messenger::Mailbox::packet_sent(const Packet& packet)
{
    if (packet.source != id)
        FAIL_CHECK("processor " << id << " sent a packet of processor " << packet.source);
    owner.sent_at_[packet.step] = owner.network_.domain().now();
}

void Messenger::Mailbox::flit_arrived(const Packet& packet, std::uint32_t sequence)
{
    if (packet.destination != id)
        FAIL_CHECK("processor " << id << " got a flit for " << packet.destination);
    if (owner.flits_arrived_[packet.step]++ != sequence)
        FAIL_CHECK("message " << packet.step << ": flit " << sequence << " is not the next one");
}

void Messenger::Mailbox::packet_arrived(const Packet& packet)
{
    const Message& message = owner.messages_[packet.step];
    if (packet.source != message.source || packet.destination != message.destination ||
        packet.created != message.at || packet.payload != payload_of(packet.step))
        FAIL_CHECK("message " << packet.step << " did not come as it was sent");
    if (owner.flits_arrived_[packet.step] != message.flits)
        FAIL_CHECK("message " << packet.step << " came without all its flits");
    owner.arrivals_.push_back({packet.step, owner.network_.domain().now()});
}

} // namespace nocturne::test
