// Messages of a fabric as worms: the message-level model, driven by a process.
#pragma once

#include "models/fabric/packet_carrier.hpp"
#include "models/worm/worm_network.hpp"

#include <systemc>

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace nocturne {

/// A WormNetwork whose events fall due at the edges of the fabric's clock. Only arrivals are seen from
/// outside, and messages enter in the order of its own calendar: so the process sleeps until the first
/// message can arrive, unless one is later than it would be alone. Targets have room for all requests.
class WormCarrier final : public sc_core::sc_module, public PacketCarrier, public MessageClient {
public:
    /// All must outlive it.
    WormCarrier(const sc_core::sc_module_name& name, const FabricPlan& plan, const FabricConfig& config,
                ArrivalSink& sink);

    void send(const CarriedMessage& message) override;
    void request_taken(std::uint32_t) override {}

    void message_arrived(const NetworkMessage& message, ProcessorId at) override;
    void timer(std::uint32_t code) override;

private:
    /// Cycles of a message that is alone in the network.
    struct Alone {
        std::uint64_t first_flit = 0; ///< 0: not known yet
        std::uint64_t each_further = 0;
    };

    void run();
    void await_arrival();
    /// The first cycle in which a message that enters now can arrive.
    std::uint64_t earliest_arrival(const CarriedMessage& message);
    std::uint64_t current_cycle() const { return sc_core::sc_time_stamp().value() / period_.value(); }

    const FabricPlan& plan_;
    ArrivalSink& sink_;
    const sc_core::sc_time period_;
    WormNetwork network_;
    const HardwareConfig& hardware_;
    std::vector<CarriedMessage> entering_; ///< by code of their timers
    std::vector<std::uint32_t> free_codes_;
    std::vector<Alone> alone_; ///< by leg, then flow
    /// In which messages under way can arrive, of those that could not yet.
    std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> to_come_;
    std::size_t late_ = 0; ///< messages under way that could have arrived
    sc_core::sc_event due_;
};

} // namespace nocturne
