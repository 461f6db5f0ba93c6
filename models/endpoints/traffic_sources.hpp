// Synthetic traffic: sources behind the interfaces of a network.
#pragma once

#include "models/endpoints/message_observer.hpp"
#include "models/routing/random.hpp"
#include "models/traffic/arrivals.hpp"
#include "models/traffic/message_sizes.hpp"
#include "models/traffic/pattern.hpp"

#include <span>
#include <vector>

namespace nocturne {

/// What the sources of a network send. A value.
struct Traffic {
    TrafficPattern pattern;
    double load = 0; ///< mean over the processors, offered flits per processor and cycle; of every unicast
    MessageSizes sizes{{{8}}};
    ArrivalProcess arrivals = BernoulliArrivals{};
    std::uint64_t seed = 1; ///< of the whole experiment; each processor draws a sequence of its own
    /// A source whose queue is as long as that makes no more: without a bound, memory and the time to run
    /// empty would follow the load beyond saturation. 1 or more.
    std::size_t queue_packets = 2000;
};

/// Throws std::invalid_argument unless queues have a length, and, naming the processor, unless every
/// processor can send what it is to offer: its load is 0 or more and no more than its injection links
/// carry, a flit a cycle each, and Arrivals can offer it.
void check_load(const Traffic& traffic, const Topology& topology, PortModel ports);

/// The highest load that check_load() takes; the load of `traffic` itself does not matter.
double highest_load(const Traffic& traffic, const Topology& topology, PortModel ports);

/// One kind of the traffic on a network. All that it names must outlive what is made of it.
struct TrafficClass {
    const Traffic& traffic;
    const Routing& routing;
    MessageObserver& observer;
    std::uint8_t priority = 0; ///< see MessageNetwork::Sending
};

/// What sources do about a fault that they know of for that time: messages whose route has a channel that
/// is down take the route of another routing, and processors that are gone neither send nor are sent to.
struct Reroutes {
    const Routing* around = nullptr;
    DownTime when;
    std::vector<bool> is_down; ///< by channel
    std::vector<bool> is_gone; ///< by processor
};

/// At each processor of the patterns one for each class that sends messages to the processors that the
/// pattern says, at the times that the arrival process says, until it is stopped.
class TrafficSources final : public MessageClient {
public:
    /// All that it is given must outlive it. `client`: their number in the network. NetworkMessage::tag is
    /// the class, and messages are numbered by source and class. Throws std::invalid_argument for a load
    /// out of range, see Arrivals, and for more sources than timers can tell apart.
    TrafficSources(MessageNetwork& network, std::span<const TrafficClass> classes, std::uint8_t client = 0);
    TrafficSources(MessageNetwork& network, const Routing& routing, const Traffic& traffic,
                   MessageObserver& observer, std::uint8_t client = 0)
        : TrafficSources(network, std::vector<TrafficClass>{{traffic, routing, observer}}, client)
    {
    }

    /// Before the first message is sent. The routes of `around` must exist for all other pairs, and outlive
    /// this.
    void plan_reroutes(Reroutes reroutes);
    /// Messages that took a detour, and those that were not sent.
    std::uint64_t rerouted() const { return rerouted_; }
    std::uint64_t undeliverable() const { return undeliverable_; }

    /// They send nothing from now on; what they have sent goes on.
    void stop() { is_stopped_ = true; }
    /// Messages that were not made because the queue was full.
    std::uint64_t rejections() const { return rejections_; }

    void message_arrived(const NetworkMessage& message, ProcessorId at) override
    {
        classes_[message.tag].observer.message_delivered(message, at);
    }
    void message_lost(const NetworkMessage& message) override
    {
        classes_[message.tag].observer.message_lost(message);
    }
    /// `source`: whose next message is due; behind them the beginning and the end of detours.
    void timer(std::uint32_t source) override;

private:
    struct Source {
        SplitMix64 random; ///< destinations and sizes
        Arrivals arrivals;
        std::uint32_t messages = 0; ///< made so far
        ProcessorId processor;
        std::uint32_t of_class;
        std::uint32_t code; ///< of its timer
        const TrafficClass* of;
    };

    void set_timer(Source& source);
    void send(Source& source);
    MessageNetwork::Sending sending_to(ProcessorId destination, std::uint32_t flits, Source& source) const;
    void send_to(ProcessorId destination, std::uint32_t flits, Source& source);
    /// As far as sources know.
    bool is_reachable(ProcessorId source, ProcessorId destination) const;
    void send_around(const TrafficClass& of, const MessageNetwork::Sending& sending);

    MessageNetwork& network_;
    const std::vector<TrafficClass> classes_;
    const std::uint8_t client_;
    const std::uint64_t last_cycle_;                 ///< of the network
    std::vector<Source> sources_;                    ///< by class and processor
    std::vector<MessageNetwork::Sending> multicast_; ///< that is being sent
    Reroutes reroutes_;
    bool takes_reroutes_ = false; ///< now
    std::uint64_t rerouted_ = 0;
    std::uint64_t undeliverable_ = 0;
    std::uint32_t count_ = 0; ///< of them
    std::uint64_t rejections_ = 0;
    bool is_stopped_ = false;
};

} // namespace nocturne
