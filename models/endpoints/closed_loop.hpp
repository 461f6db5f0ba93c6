// Requests and replies: processors that send no more until they are answered.
#pragma once

#include "models/endpoints/message_observer.hpp"
#include "models/routing/random.hpp"
#include "models/traffic/message_sizes.hpp"
#include "models/traffic/pattern.hpp"

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
    unsigned reply_vcs = 0; ///< virtual channels of each link that replies have, if separate; 0: half of them

    /// Throws std::invalid_argument naming what is out of range.
    void validate() const;
};

/// The network with two interfaces for each processor, at the same routers: that of processor p for its
/// requests and the replies to them, that of p + n (of n) for the requests of others and its replies. So
/// requests and replies share nothing but the channels between routers, and there only what their classes of
/// virtual channels share.
Topology with_server_interfaces(const Topology& topology);

/// Which virtual channels requests and replies take between routers: each their own, or all of them the same.
/// Shared, a reply may wait behind a request that waits for a processor which takes none before its replies
/// have left: a protocol deadlock (Dally and Towles, Principles and Practices of Interconnection Networks,
/// section 14.1.5).
enum class MessageClasses : std::uint8_t { separate, shared };

/// Virtual channels of a link that requests and replies have, where each has its own; both 0: equal shares.
struct MessageVcs {
    unsigned requests = 0;
    unsigned replies = 0;
};

/// Of `vcs` those for replies, and the others for requests; replies 0: equal shares. Throws
/// std::invalid_argument if none is left.
MessageVcs message_vcs(unsigned vcs, unsigned replies);

/// Virtual channels that requests and replies need over this routing. Throws std::invalid_argument if one of
/// them has less than the routing needs.
VcClasses vc_classes_of(const Routing& routing, MessageClasses classes, const MessageVcs& vcs = {});

/// Routes of such a network by those of the network itself, from the second interface of a processor in the
/// classes of replies. `base` must outlive it. Throws std::invalid_argument for a routing that is decided by
/// the routers, and as vc_classes_of().
Routing between_interfaces(const Topology& topology, const Routing& base, MessageClasses classes,
                           const MessageVcs& vcs = {});

/// Told of what is answered, besides each packet.
class RoundTripObserver : public MessageObserver {
public:
    virtual void round_trip(std::uint64_t created, std::uint64_t answered) = 0;

protected:
    ~RoundTripObserver() = default;
};

/// Processors that ask and answer, each behind its two interfaces.
class ClosedLoopProcessors final : public MessageClient {
public:
    /// `network` is one of with_server_interfaces(), `routing` of between_interfaces(). All that it is given
    /// must outlive it. Throws as MessageNetwork::set_gate().
    ClosedLoopProcessors(MessageNetwork& network, const Routing& routing, const ClosedLoop& loop,
                         RoundTripObserver& observer);

    /// They ask no more from now on.
    void stop() { is_stopped_ = true; }
    std::size_t count() const { return processors_.size(); }
    /// Those of which a reply has not left, so that the next request waits in the ejection buffers.
    std::size_t taking_no_request() const;

    void message_sent(const NetworkMessage& message) override;
    void message_arrived(const NetworkMessage& message, ProcessorId at) override;
    bool takes(const NetworkMessage& request) override;
    void timer(std::uint32_t code) override;

private:
    struct Processor {
        SplitMix64 random;
        std::vector<std::uint64_t> created; ///< by slot: its request
        std::uint32_t messages = 0;         ///< made so far
        std::uint32_t being_served = 0;
    };
    /// A request that is answered when its service time is over.
    struct Service {
        ProcessorId server;
        ProcessorId asker;
        std::uint32_t slot;
    };

    bool is_server(ProcessorId interface) const { return interface >= processors_.size(); }
    Processor& processor_of(ProcessorId interface)
    {
        return processors_[is_server(interface) ? interface - processors_.size() : interface];
    }
    void begin(ProcessorId id);
    void send_request(ProcessorId id, std::uint32_t slot);
    void send(ProcessorId from, ProcessorId to, std::uint32_t flits, std::uint32_t slot);
    void take_reply(const NetworkMessage& reply, ProcessorId at);
    void take_request(const NetworkMessage& request, ProcessorId at);

    MessageNetwork& network_;
    const Routing& routing_;
    const ClosedLoop& loop_;
    RoundTripObserver& observer_;
    std::vector<Processor> processors_;
    std::vector<Service> services_;         ///< by code of their timers, less the processors
    std::vector<std::uint32_t> free_codes_; ///< of those that are over
    bool is_stopped_ = false;
};

} // namespace nocturne
