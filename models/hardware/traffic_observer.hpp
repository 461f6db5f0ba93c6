// Who is told of the packets of traffic sources and replayed traces.
#pragma once

#include "models/hardware/flit.hpp"

namespace nocturne {

class TrafficObserver {
public:
    /// A packet has entered the source queue, in the present cycle. Packet::step is its number among those of
    /// its source, from 0.
    virtual void packet_created(const Packet& packet) = 0;
    /// All the flits of a packet have come to this processor; `packet_arrived` of PacketClient.
    virtual void packet_delivered(const Packet& packet, ProcessorId at) = 0;

protected:
    ~TrafficObserver() = default;
};

} // namespace nocturne
