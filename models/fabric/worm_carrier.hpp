// Messages of a fabric as worms: the message-level model, driven by a process.
#pragma once

#include "models/fabric/packet_carrier.hpp"
#include "models/worm/worm_network.hpp"

#include <systemc>

namespace nocturne {

/// A WormNetwork whose events fall due at the edges of the fabric's clock. Targets have room for all
/// requests.
class WormCarrier final : public sc_core::sc_module, public PacketCarrier, public MessageClient {
public:
    /// All must outlive it.
    WormCarrier(const sc_core::sc_module_name& name, const FabricPlan& plan, const FabricConfig& config,
                ArrivalSink& sink);

    void send(const CarriedMessage& message) override;
    void request_taken(std::uint32_t) override {}

    void message_arrived(const NetworkMessage& message, ProcessorId at) override;
    void timer(std::uint32_t code) override;

    const WormNetwork& network() const { return network_; }

private:
    void run();
    void await_next_event();

    const FabricPlan& plan_;
    ArrivalSink& sink_;
    const sc_core::sc_time period_;
    WormNetwork network_;
    std::vector<CarriedMessage> entering_; ///< by code of their timers
    std::vector<std::uint32_t> free_codes_;
    sc_core::sc_event due_;
};

} // namespace nocturne
