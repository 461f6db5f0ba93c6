// What takes the messages of a fabric through a network that is simulated.
#pragma once

#include "models/fabric/fabric_plan.hpp"
#include "models/network/message_network.hpp"

#include <cstdint>

namespace nocturne {

/// A request or a response on its way.
struct CarriedMessage {
    Leg leg = Leg::request;
    FlowId flow = 0;
    std::uint32_t flits = 1; ///< 1 or more
    std::uint32_t id = 0;    ///< of the transfer that it belongs to, below 2^27
};

/// As what a network carries: its leg and transfer are the tag.
inline MessageNetwork::Sending sending_of(const FabricPlan& plan, const CarriedMessage& message)
{
    return {plan.source(message.leg, message.flow), plan.destination(message.leg, message.flow),
            message.flits, message.id << 1 | static_cast<std::uint32_t>(message.leg)};
}
/// The transfer that a message belongs to.
inline std::uint32_t transfer_of(const NetworkMessage& message)
{
    return message.tag >> 1;
}

/// The ends of the network, called from a process of the carrier.
class ArrivalSink {
public:
    /// A request has come to its target. If it is not taken it stays in the network, with all that is behind
    /// it, until PacketCarrier::request_taken().
    virtual bool takes_request(std::uint32_t id) = 0;
    /// All of a message has arrived, now.
    virtual void message_arrived(Leg leg, std::uint32_t id) = 0;

protected:
    ~ArrivalSink() = default;
};

inline void report_arrival(ArrivalSink& sink, const NetworkMessage& message)
{
    sink.message_arrived(static_cast<Leg>(message.tag & 1), transfer_of(message));
}

/// The network of a fabric at some level of detail.
class PacketCarrier {
public:
    virtual ~PacketCarrier() = default;
    /// Into the source queue of its flow, in the clock cycle that has begun last.
    virtual void send(const CarriedMessage& message) = 0;
    /// A target has taken a request: it may have a place for one that was not taken before.
    virtual void request_taken(std::uint32_t target) = 0;
};

} // namespace nocturne
