#include "sim/traffic/traffic_record.hpp"

namespace nocturne {

TrafficRecord::TrafficRecord(const MessageNetwork& network, const Window& window, std::size_t processors,
                             bool in_order)
    : network_(network), check_(in_order), counts_(window, processors)
{
}

void TrafficRecord::message_created(const NetworkMessage& message)
{
    check_.message_created(message);
    counts_.created(message.source, message.created, message.flits);
}

void TrafficRecord::message_delivered(const NetworkMessage& message, ProcessorId at)
{
    check_.message_delivered(message, at);
    counts_.arrived({message.source, message.created, message.injected, network_.now(), message.flits});
}

} // namespace nocturne
