// Interfaces that send what has slots.
#pragma once

#include "models/network/message_network.hpp"
#include "schedules/slots/contract.hpp"
#include "schedules/slots/slot_table.hpp"
#include "sim/contracts/conforming_messages.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace nocturne {

/// What has been seen of a flow.
struct SeenFlow {
    std::uint64_t messages = 0;       ///< that have arrived
    std::uint64_t latency_cycles = 0; ///< the longest
    std::uint64_t violations = 0;     ///< messages that took longer than the contract says
    std::uint64_t late_packets = 0;   ///< that arrived in another cycle than the table says
};

/// For each flow a source at the second interface of its processor that makes messages (ConformingMessages)
/// and sends a packet with each of its starts as long as there is one to be sent. Client 0 of the network.
class ContractSources final : public MessageClient {
public:
    /// The network is one of with_server_interfaces() of the topology, in which guaranteed packets have the
    /// class `vc_class`. All but the contracts must outlive it.
    ContractSources(MessageNetwork& network, const Topology& topology, const SlotTiming& timing,
                    const std::vector<GuaranteedFlow>& flows, const SlotTable& table,
                    const std::vector<Contract>& contracts, unsigned vc_class, std::uint64_t seed);

    /// Messages come before this cycle only, which is set before the simulation starts.
    void stop_at(std::uint64_t cycle) { end_ = cycle; }
    /// Sets the first timers.
    void start();

    const SeenFlow& seen(std::size_t flow) const { return flows_[flow].seen; }
    std::uint64_t flits() const { return flits_; } ///< that have arrived
    /// Messages that have come and not arrived.
    std::uint64_t missing() const;

    void message_arrived(const NetworkMessage& packet, ProcessorId at) override;
    void timer(std::uint32_t flow) override;

private:
    struct Message {
        std::uint64_t created;
        std::uint32_t to_send; ///< packets
        std::uint32_t to_arrive;
    };
    struct Source {
        ConformingMessages messages;
        Route route = {};
        std::uint64_t transit = 0; ///< of a full packet, from its entry into the source queue
        std::uint64_t bound = 0;
        std::uint32_t packets = 1;      ///< of a message
        std::uint32_t last_flits = 1;   ///< of its last packet
        std::uint64_t next_message = 0; ///< when it comes
        std::uint64_t period = 0;       ///< the cycle in which it begins
        std::uint32_t start = 0;        ///< of the period, the next one
        std::deque<Message> open = {};  ///< in their order
        std::size_t sent = 0;           ///< of these, all their packets
        std::uint32_t number = 0;       ///< of the next packet to be sent
        std::uint32_t first_packet = 0; ///< of the first message that is open
        SeenFlow seen = {};
    };

    void set_timer(std::uint32_t flow);
    void take_messages(Source& source);
    void send_packet(std::uint32_t flow);

    MessageNetwork& network_;
    const SlotTiming& timing_;
    const std::vector<GuaranteedFlow>& wanted_;
    const SlotTable& table_;
    const ProcessorId processors_;
    const std::uint64_t period_;
    std::uint64_t end_ = 0;
    std::uint64_t flits_ = 0;
    std::vector<Source> flows_;
};

} // namespace nocturne
