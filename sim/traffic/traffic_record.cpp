#include "sim/traffic/traffic_record.hpp"

namespace nocturne {

TrafficRecord::TrafficRecord(const ClockDomain& domain, const Window& window, std::size_t processors,
                             bool in_order)
    : domain_(domain), check_(in_order), counts_(window, processors)
{
}

void TrafficRecord::packet_created(const Packet& packet)
{
    check_.packet_created(packet);
    counts_.created(packet.source, packet.created, packet.flits);
}

void TrafficRecord::packet_delivered(const Packet& packet, ProcessorId at)
{
    check_.packet_delivered(packet, at);
    counts_.arrived({packet.source, packet.created, packet.injected, domain_.now(), packet.flits});
}

} // namespace nocturne
