// A network as those behind its interfaces see it, whatever the level of the simulation.
#pragma once

#include "models/network/down_time.hpp"
#include "models/network/link_plan.hpp"
#include "models/routing/routing.hpp"
#include "models/topology/faults.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// From its entry into the source queue to its arrival: a packet of flits, or a worm.
struct NetworkMessage {
    ProcessorId source = 0;
    ProcessorId destination = 0;
    std::uint32_t flits = 1;    ///< 1 or more
    std::uint32_t tag = 0;      ///< free for the sender
    std::uint64_t created = 0;  ///< cycle in which it entered the source queue
    std::uint64_t injected = 0; ///< cycle in which its head left
    std::uint32_t number = 0;   ///< free too; of traffic: among those of its source, from 0
    std::uint32_t came = 0;     ///< when it arrives: flits that have come in their order
    std::uint32_t hops = 0;     ///< when it arrives: channels between routers that it has crossed
};

/// What stands behind the network interfaces. From within these calls it may send messages and set timers,
/// which ends the life of the reference.
class MessageClient {
public:
    /// Its last flit has left the source.
    virtual void message_sent(const NetworkMessage&) {}
    /// Its last flit has come to a processor; the message is gone after this call.
    virtual void message_arrived(const NetworkMessage& message, ProcessorId at) = 0;
    /// A fault has cut it off: it will never arrive, though its last flit may still have to leave the source.
    /// Once for each message, at the flit level when nothing of it is left.
    /// The client must neither send anything nor set a timer.
    virtual void message_lost(const NetworkMessage&) {}
    /// Of MessageNetwork::set_timer().
    virtual void timer(std::uint32_t) {}
    /// Behind a gate (MessageNetwork::set_gate()): may the message, whose head has come, be taken? If not
    /// what comes behind it in its virtual channel waits, and it is asked again at
    /// MessageNetwork::retry_gate().
    virtual bool takes(const NetworkMessage&) { return true; }

protected:
    ~MessageClient() = default;
};

/// Messages in a deadlock, each waiting for a link that the next one occupies.
struct MessageWait {
    NetworkMessage message;
    std::uint32_t link = 0;        ///< that its head has come over
    unsigned vc = 0;               ///< on which it waits at the end of that
    std::uint32_t wanted_link = 0; ///< or the first of several
};

/// The time for which a message has a virtual channel of a link, cycles: from when its head enters the wire
/// until its tail has.
struct ChannelHold {
    std::uint32_t link = 0;
    unsigned vc = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

/// Who is told of what messages hold.
class HoldObserver {
public:
    /// When it is known, in any order. `client`: see MessageNetwork::attach().
    virtual void channel_held(const NetworkMessage& message, const ChannelHold& hold,
                              std::uint8_t client) = 0;

protected:
    ~HoldObserver() = default;
};

/// Who is told of the flits in the buffers of routers.
class BufferObserver {
public:
    /// A flit comes into the buffer of a virtual channel at the end of a link in that cycle. Told when it is
    /// sent, before the cycle, in the order in which the flits of a buffer come.
    virtual void flit_comes(std::uint32_t link, unsigned vc, std::uint64_t at) = 0;
    /// The first one in a buffer leaves it in that cycle, the present one.
    virtual void flit_leaves(std::uint32_t link, unsigned vc, std::uint64_t at) = 0;

protected:
    ~BufferObserver() = default;
};

/// Links and virtual channels are numbered as in LinkPlan. Times are clock cycles since the beginning.
class MessageNetwork {
public:
    virtual ~MessageNetwork() = default;

    virtual const LinkPlan& plan() const = 0;
    const Topology& topology() const { return plan().topology(); }

    static constexpr std::uint8_t most_clients = 2;
    /// Who is told of the messages and timers with this number, at all processors; before the first of them.
    /// The clients share source queues and links.
    virtual void attach(MessageClient& client, std::uint8_t number) = 0;
    void attach(MessageClient& client) { attach(client, 0); }

    struct Sending {
        ProcessorId source;
        ProcessorId destination;
        std::uint32_t flits; ///< 1 or more
        std::uint32_t tag = 0;
        std::uint32_t number = 0;
        std::uint8_t client = 0;
        std::uint8_t priority = 0; ///< the more, the sooner, at the flit level if arbiters ask for it
        /// Of the first of a multicast whose way is reserved: the next one of the source has it, if it goes
        /// to the same destinations.
        bool keeps_reservation = false;
    };
    /// Into the source queue, now. The route must lead from the source's router to the destination's.
    virtual void send(const Sending& sending, const Route& route) = 0;
    /// The same with the route that the routing gives the pair now, or if it is adaptive for the routers to
    /// decide. Throws what it throws for a route, and std::invalid_argument for an adaptive one that the
    /// network was not made with.
    virtual void send(const Sending& sending, const Routing& routing) = 0;
    /// The same flits from one source to each of these destinations, all different: as one message whose
    /// routers copy it, or one behind the other. One message is sent once (MessageClient::message_sent(), of
    /// the first of these); each of them arrives.
    virtual void send_multicast(std::span<const Sending> to_each, const Routing& routing)
    {
        for (const Sending& sending : to_each)
            send(sending, routing);
    }
    virtual Multicast multicast() const { return Multicast::unicasts; }
    /// Is a multicast one message?
    bool copies_multicasts() const { return multicast() != Multicast::unicasts; }
    /// MessageClient::timer(code) in a cycle after the present one, or in that if takes_present_timers();
    /// codes below 2^27.
    virtual void set_timer(std::uint64_t at, std::uint32_t code, std::uint8_t client) = 0;
    /// Where the order in which messages are sent in a cycle matters, timers order them.
    virtual bool takes_present_timers() const = 0;
    void set_timer(std::uint64_t at, std::uint32_t code) { set_timer(at, code, 0); }
    /// A processor takes messages out of the ejection buffers, whose credits go back only then, when its
    /// client says so; before the first message. Throws std::invalid_argument beside planned faults at a
    /// level that cannot have both.
    virtual void set_gate(ProcessorId id) = 0;
    /// What waits before the gate is asked again whether it may pass.
    virtual void retry_gate(ProcessorId id) = 0;
    /// Messages that wait in the source queue.
    virtual std::size_t queued(ProcessorId id) const = 0;

    virtual std::uint64_t now() const = 0;
    virtual double now_ns() const = 0;
    /// The last one that simulated time can express.
    virtual std::uint64_t last_cycle() const = 0;
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    /// The one in which something happens next; never if nothing will. Of a network that has run.
    virtual std::uint64_t next_cycle() const = 0;
    /// Everything before a cycle, or until nothing is left to do. A deadlock that is seen while other
    /// messages still move ends the run: then this does nothing any more.
    virtual void run_to(std::uint64_t end) = 0;
    void run_to_the_end() { run_to(last_cycle()); }
    /// Everything up to a cycle, that one included, deadlock or not. now() stays at the last cycle in which
    /// something has happened, so that more can be sent in this one.
    virtual void run_through(std::uint64_t cycle) = 0;
    /// Until nothing moves any more, deadlock or not: whoever sends messages must have stopped, or come to an
    /// end.
    virtual void drain() = 0;

    /// Messages in source queues or in the network.
    virtual std::size_t in_flight() const = 0;
    /// Those in a circular wait in the network as it stands, each for the next one to move; empty if there is
    /// none.
    virtual std::vector<MessageWait> find_waiting_cycle() const = 0;
    /// What ended a run.
    struct Deadlock {
        double time_ns = 0;
        std::vector<MessageWait> cycle;
    };
    virtual std::optional<Deadlock> deadlock() const = 0;

    /// Faults during the run: these channels are down for that time, and these routers, with what is in them
    /// and on all their links, those of their processors included. Nothing hangs: what a fault cuts off
    /// drains and is discarded. Before the first message is sent; any number of times. Throws
    /// std::invalid_argument for a channel or router that does not exist, for a time that ends before it
    /// begins, and as set_gate().
    virtual void plan_faults(const Faults& faults, DownTime down) = 0;
    /// Flits that faults have cost, each counted once.
    virtual std::uint64_t flits_lost() const = 0;

    /// Tells of every virtual channel that a message holds, one more observer; before the first message is
    /// sent.
    virtual void observe(HoldObserver& observer) = 0;
    /// Tells of flits in buffers; before the first message is sent. Throws std::invalid_argument at a level
    /// that has no flits, and for a network with several clocks or planned faults.
    virtual void observe_buffers(BufferObserver& observer) = 0;

    /// Flits that a link has taken, and messages whose head it has.
    virtual std::uint64_t flits(std::uint32_t link) const = 0;
    virtual std::uint64_t messages(std::uint32_t link) const = 0;
    /// Cycles in which flits have entered a link.
    std::uint64_t busy_cycles(std::uint32_t link) const
    {
        return plan().network_cycles(link, flits(link) * plan().timing(link).cycles_per_flit);
    }
    /// Flits times routers crossed, so far.
    virtual std::uint64_t flit_hops() const = 0;
    /// Cycles in which flits at the heads of buffers waited beyond the pipeline, in routers and at injection
    /// links; nothing at the message level, which has no flits.
    virtual std::optional<std::uint64_t> blocked_cycles() const = 0;
    /// Those of them in which only a credit was missing; likewise.
    virtual std::optional<std::uint64_t> credit_wait_cycles() const = 0;
    /// Cycles in which heads of messages waited beyond the pipeline, for a virtual channel or behind other
    /// messages in their buffer; nothing at the flit level.
    virtual std::optional<std::uint64_t> head_wait_cycles() const = 0;
};

} // namespace nocturne
