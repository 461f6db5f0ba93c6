#include "sim/traffic/traffic_record.hpp"

namespace nocturne {

namespace {

PacketTimes times_of(const NetworkMessage& message, const MessageNetwork& network)
{
    return {message.source, message.created, message.injected, network.now(), message.flits, message.hops};
}

} // namespace

TrafficRecord::TrafficRecord(const MessageNetwork& network, const Window& window, std::size_t processors,
                             bool in_order)
    : network_(network), check_(in_order), counts_(window, processors)
{
}

void TrafficRecord::message_created(const NetworkMessage& message)
{
    check_.message_created(message);
    counts_.created(message.source, message.created, message.flits);
    others_.message_created(message);
}

void TrafficRecord::message_delivered(const NetworkMessage& message, ProcessorId at)
{
    check_.message_delivered(message, at);
    counts_.arrived(times_of(message, network_));
    others_.message_delivered(message, at);
}

void TrafficRecord::message_lost(const NetworkMessage& message)
{
    check_.message_lost(message);
    counts_.lost(times_of(message, network_));
    others_.message_lost(message);
}

void TotalCounts::message_delivered(const NetworkMessage& message, ProcessorId)
{
    counts_.arrived(times_of(message, network_));
}

void TotalCounts::message_lost(const NetworkMessage& message)
{
    counts_.lost(times_of(message, network_));
}

} // namespace nocturne
