#include "schedules/broadcast/broadcast_step.hpp"

#include <algorithm>

namespace nocturne {

namespace {

/// No more at a port than the arcs there can use: a star of thousands of processors stays small.
std::vector<std::uint32_t> capacities(const RelayNetwork& network)
{
    std::vector<std::uint32_t> capacity(network.problem().topology.channel_count(), 1);
    for (ProcessorId p = 0; p < network.processor_count(); ++p)
        capacity.push_back(network.send_limit(p));
    for (ProcessorId p = 0; p < network.processor_count(); ++p)
        capacity.push_back(network.receive_limit(p));
    return capacity;
}

} // namespace

BroadcastStep::BroadcastStep(const RelayNetwork& network, std::size_t messages)
    : network_(&network), channels_(static_cast<ResourceId>(network.problem().topology.channel_count())),
      holders_(capacities(network), 1), incoming_(network.processor_count(), messages)
{
}

BroadcastStep::Slot BroadcastStep::add(Relay relay)
{
    if (unused_.empty()) {
        unused_.push_back(static_cast<Slot>(relays_.size()));
        relays_.emplace_back();
    }
    const Slot slot = unused_.back();
    unused_.pop_back();
    relays_[slot] = relay;
    const RelayArc& arc = network_->arc(relay.arc);
    for (const ChannelId channel : arc.path)
        holders_.put(channel, 0, slot);
    holders_.put(send_port(arc.source), 0, slot);
    holders_.put(receive_port(arc.destination), 0, slot);
    incoming_.add(arc.destination, relay.message);
    return slot;
}

void BroadcastStep::remove(Slot slot)
{
    const Relay relay = relays_[slot];
    const RelayArc& arc = network_->arc(relay.arc);
    for (const ChannelId channel : arc.path)
        holders_.remove(channel, 0, slot);
    holders_.remove(send_port(arc.source), 0, slot);
    holders_.remove(receive_port(arc.destination), 0, slot);
    incoming_.remove(arc.destination, relay.message);
    unused_.push_back(slot);
}

void BroadcastStep::clear()
{
    for (ProcessorId p = 0; p < network_->processor_count(); ++p)
        while (!received_by(p).empty())
            remove(received_by(p).back());
    relays_.clear();
    unused_.clear();
}

std::vector<Relay> BroadcastStep::relays() const
{
    std::vector<Relay> result;
    for (ProcessorId p = 0; p < network_->processor_count(); ++p)
        for (const Slot slot : received_by(p))
            result.push_back(relays_[slot]);
    return result;
}

BroadcastStep::Obstacles BroadcastStep::obstacles(RelayNetwork::Arc id) const
{
    const RelayArc& arc = network_->arc(id);
    Obstacles result;
    const auto count = [&](Slot slot) {
        if (result.count == 0)
            result = {1, slot};
        else if (slot != result.first)
            result.count = 2;
    };
    for (const ChannelId channel : arc.path)
        for (const Slot holder : holders_.holders(channel, 0))
            count(holder);
    // A port is enough: one that is given up with a channel of the path is the sender's, too.
    const std::span<const Slot> sent = holders_.holders(send_port(arc.source), 0);
    if (holders_.is_full(send_port(arc.source), 0) &&
        (result.count == 0 || std::find(sent.begin(), sent.end(), result.first) == sent.end()))
        count(sent.front());
    return result;
}

} // namespace nocturne
