// An application's messages, from a trace, on the network.
#pragma once

#include "models/hardware/network.hpp"
#include "models/hardware/traffic_observer.hpp"
#include "models/traffic/trace.hpp"

#include <systemc>

#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// Sends each message of a trace when its time has come: in its cycle, or that many cycles after the last
/// message that it waits for has arrived, wherever that was. Cycle 0 of the trace is cycle 1 of the
/// simulation, the first in which anything can be sent. Packet::address is the message's number in the trace.
class TraceReplay final : public sc_core::sc_module, public Clocked {
public:
    /// The last cycle in which a trace may send a message, and the longest time that one may wait after what
    /// it waits for; less if ClockDomain::last_cycle() is.
    static constexpr std::uint64_t latest_cycle = std::uint64_t{1} << 40;

    /// All that it is given must outlive it. Throws std::invalid_argument, naming the message, for one of
    /// more than 2^30 flits or with a cycle after the latest.
    TraceReplay(const sc_core::sc_module_name& name, Network& network, const Routing& routing,
                std::span<const TraceMessage> trace, TrafficObserver& observer);

    /// The first message whose turn came after the end of simulated time, if there was one: it was not sent.
    const std::optional<std::uint32_t>& out_of_time() const { return out_of_time_; }
    /// Messages that have not arrived.
    std::size_t missing() const { return trace_.size() - arrived_; }

    void on_event(std::uint32_t code, std::uint64_t data) override;

private:
    struct Port final : PacketClient {
        Port(TraceReplay& owner, ProcessorId id) : replay(owner), processor(id) {}
        void packet_sent(const Packet&) override {}
        void flit_arrived(const Packet&, std::uint32_t) override {}
        bool wants_flits() const override { return false; }
        void packet_arrived(const Packet& packet) override { replay.arrived(packet, processor); }
        TraceReplay& replay;
        ProcessorId processor;
        std::uint32_t packets = 0; ///< sent so far
    };

    void start_of_simulation() override { send_due(); }
    void send_due();
    void send(std::uint32_t message);
    void arrived(const Packet& packet, ProcessorId at);

    Network& network_;
    const Routing& routing_;
    std::span<const TraceMessage> trace_;
    TrafficObserver& observer_;
    std::deque<Port> ports_;                 ///< by processor
    std::vector<std::uint32_t> on_time_;     ///< messages that wait for nothing, by time
    std::size_t next_on_time_ = 0;           ///< of those, the first one not sent
    std::vector<std::uint32_t> waiting_for_; ///< by message: how many that it waits for have not arrived
    std::vector<std::size_t>
        first_follower_; ///< by message: where its followers begin; one entry more at the end
    std::vector<std::uint32_t> followers_; ///< messages that wait for it
    std::size_t arrived_ = 0;
    std::optional<std::uint32_t> out_of_time_;
};

} // namespace nocturne
