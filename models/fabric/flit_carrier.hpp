// Messages of a fabric as packets of flits.
#pragma once

#include "models/fabric/packet_carrier.hpp"
#include "models/hardware/network.hpp"

#include <memory>
#include <vector>

namespace nocturne {

/// A Network below the present module.
class FlitCarrier final : public PacketCarrier {
public:
    /// All must outlive it.
    FlitCarrier(const FabricPlan& plan, const FabricConfig& config, ArrivalSink& sink);
    ~FlitCarrier() override;

    void send(const CarriedMessage& message) override;
    void request_taken(std::uint32_t target) override;

    Network& network() { return network_; }

private:
    class Receiver; ///< what stands behind the interface of an initiator
    class Server;   ///< and of a target: it takes no more requests than it has places for

    const FabricPlan& plan_;
    Network network_;
    std::unique_ptr<Receiver> receiver_; ///< of all initiators
    std::vector<std::unique_ptr<Server>> servers_;
};

} // namespace nocturne
