// Messages of a fabric as packets of flits.
#pragma once

#include "models/fabric/packet_carrier.hpp"
#include "models/hardware/network.hpp"

namespace nocturne {

/// A Network below the present module. A target takes no more requests than it has places for.
class FlitCarrier final : public PacketCarrier, public MessageClient {
public:
    /// All must outlive it.
    FlitCarrier(const FabricPlan& plan, const FabricConfig& config, ArrivalSink& sink);

    void send(const CarriedMessage& message) override;
    void request_taken(std::uint32_t target) override;

    void message_arrived(const NetworkMessage& message, ProcessorId at) override;
    bool takes(const NetworkMessage& message) override;
    /// Of a target that has a place again.
    void timer(std::uint32_t target) override;

    Network& network() { return network_; }

private:
    const FabricPlan& plan_;
    ArrivalSink& sink_;
    Network network_;
};

} // namespace nocturne
