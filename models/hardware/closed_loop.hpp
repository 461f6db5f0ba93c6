// Requests and replies: processors that send no more until they are answered.
#pragma once

#include "models/hardware/network.hpp"
#include "models/hardware/traffic_observer.hpp"
#include "models/routing/random.hpp"
#include "models/traffic/message_sizes.hpp"
#include "models/traffic/pattern.hpp"

#include <systemc>

#include <cstdint>
#include <vector>

namespace nocturne {

/// What the processors of a network ask each other. A value.
struct ClosedLoop {
    TrafficPattern pattern; ///< whom a processor asks
    std::uint32_t outstanding =
        1; ///< requests of a processor that are not answered, 1 or more: always so many
    MessageSizes request_sizes{{{1}}};
    MessageSizes reply_sizes{{{8}}};
    std::uint32_t service_cycles =
        1; ///< from a request's last flit to its reply's entry into the queue, 1 or more
    /// Requests that a processor works on at a time, those included whose replies wait to be sent, 1 or more:
    /// it takes no other one out of its ejection buffers before.
    std::uint32_t reply_queue_packets = 4;
    std::uint64_t seed = 1; ///< each processor draws a sequence of its own

    /// Throws std::invalid_argument naming what is out of range.
    void validate() const;
};

/// The network with two interfaces for each processor, at the same routers: that of processor p for its
/// requests and the replies to them, that of p + n (of n) for the requests of others and its replies. So
/// requests and replies share nothing but the channels between routers, and there only what their classes of
/// virtual channels share.
Topology with_server_interfaces(const Topology& topology);

/// Routes of such a network by those of the network itself, `classes` classes up (see Hop). `base` must
/// outlive it. Throws std::invalid_argument for a routing that is decided by the routers.
Routing between_interfaces(const Topology& topology, const Routing& base, unsigned classes);

/// Told of what is answered, besides each packet.
class RoundTripObserver : public TrafficObserver {
public:
    virtual void round_trip(Cycle created, Cycle answered) = 0;

protected:
    ~RoundTripObserver() = default;
};

/// A processor that asks and answers, behind its two interfaces.
class ClosedLoopProcessor final : public sc_core::sc_module, public Clocked {
public:
    struct Routings {
        const Routing& requests;
        const Routing& replies;
    };

    /// `network` is one of with_server_interfaces(). All that it is given must outlive it.
    ClosedLoopProcessor(const sc_core::sc_module_name& name, Network& network, const Routings& routings,
                        ProcessorId processor, const ClosedLoop& loop, RoundTripObserver& observer);

    /// Asks no more from now on.
    void stop() { stopped_ = true; }
    /// Is there a reply that has not left, so that the next request waits in the ejection buffers?
    bool takes_no_request() const { return being_served_ == loop_.reply_queue_packets; }

    void on_event(std::uint32_t code, std::uint64_t data) override;

private:
    struct Requester final : PacketClient {
        explicit Requester(ClosedLoopProcessor& owner) : processor(owner) {}
        void packet_sent(const Packet&) override {}
        void flit_arrived(const Packet&, std::uint32_t) override {}
        bool wants_flits() const override { return false; }
        void packet_arrived(const Packet& packet) override { processor.take_reply(packet); }
        ClosedLoopProcessor& processor;
    };
    struct Server final : PacketClient, EjectionGate {
        explicit Server(ClosedLoopProcessor& owner) : processor(owner) {}
        void packet_sent(const Packet&) override { processor.finish_reply(); }
        void flit_arrived(const Packet&, std::uint32_t) override {}
        bool wants_flits() const override { return false; }
        void packet_arrived(const Packet& packet) override { processor.take_request(packet); }
        bool takes(const Packet&) override { return processor.begin_request(); }
        ClosedLoopProcessor& processor;
    };

    void start_of_simulation() override;
    void send_request(std::uint32_t slot);
    void send_reply(ProcessorId asker, std::uint32_t slot);
    void send(ProcessorId from, ProcessorId to, std::uint32_t flits, std::uint32_t slot);
    void take_reply(const Packet& packet);
    bool begin_request();
    void take_request(const Packet& packet);
    void finish_reply();

    Network& network_;
    const Routings routings_;
    const ProcessorId id_;
    const ProcessorId server_id_;
    const ClosedLoop& loop_;
    RoundTripObserver& observer_;
    SplitMix64 random_;
    Requester requester_{*this};
    Server server_{*this};
    std::vector<Cycle> created_; ///< by slot: its request
    std::uint32_t packets_ = 0;  ///< made so far
    std::uint32_t being_served_ = 0;
    bool stopped_ = false;
};

} // namespace nocturne
