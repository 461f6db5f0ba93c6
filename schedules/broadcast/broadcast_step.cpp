#include "schedules/broadcast/broadcast_step.hpp"

#include <algorithm>

namespace nocturne {

BroadcastStep::BroadcastStep(const RelayNetwork& network, std::size_t messages)
    : network_(&network), owner_(network.problem().topology.channel_count(), nobody),
      sent_(network.processor_count()), received_(network.processor_count()),
      incoming_(network.processor_count(), messages)
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
        owner_[channel] = slot;
    sent_[arc.source].push_back(slot);
    received_[arc.destination].push_back(slot);
    incoming_.add(arc.destination, relay.message);
    return slot;
}

void BroadcastStep::remove(Slot slot)
{
    const Relay relay = relays_[slot];
    const RelayArc& arc = network_->arc(relay.arc);
    for (const ChannelId channel : arc.path)
        owner_[channel] = nobody;
    std::erase(sent_[arc.source], slot);
    std::erase(received_[arc.destination], slot);
    incoming_.remove(arc.destination, relay.message);
    unused_.push_back(slot);
}

void BroadcastStep::clear()
{
    for (ProcessorId p = 0; p < network_->processor_count(); ++p)
        while (!received_[p].empty())
            remove(received_[p].back());
    relays_.clear();
    unused_.clear();
}

std::vector<Relay> BroadcastStep::relays() const
{
    std::vector<Relay> result;
    for (const std::vector<Slot>& slots : received_)
        for (const Slot slot : slots)
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
        if (owner_[channel] != nobody)
            count(owner_[channel]);
    // A port is enough: one that is given up with a channel of the path is the sender's, too.
    const std::vector<Slot>& sent = sent_[arc.source];
    if (sent.size() == network_->send_limit(arc.source) &&
        (result.count == 0 || std::find(sent.begin(), sent.end(), result.first) == sent.end()))
        count(sent.front());
    return result;
}

} // namespace nocturne
