// What takes the messages of a fabric through a network that is simulated.
#pragma once

#include "models/fabric/fabric_plan.hpp"

#include <cstdint>

namespace nocturne {

/// A request or a response on its way.
struct CarriedMessage {
    Leg leg = Leg::request;
    FlowId flow = 0;
    std::uint32_t flits = 1; ///< 1 or more
    std::uint32_t id = 0;    ///< of the transfer that it belongs to, below 2^27
};

/// Is told of what has arrived, at the time of its arrival, from a process of the carrier.
class ArrivalSink {
public:
    virtual void message_arrived(Leg leg, std::uint32_t id) = 0;

protected:
    ~ArrivalSink() = default;
};

/// The network of a fabric at some level of detail.
class PacketCarrier {
public:
    virtual ~PacketCarrier() = default;
    /// Into the source queue of its flow, in the clock cycle that has begun last.
    virtual void send(const CarriedMessage& message) = 0;
    /// A target has taken a request that had arrived: its interface has a place again.
    virtual void request_taken(std::uint32_t target) = 0;
};

} // namespace nocturne
