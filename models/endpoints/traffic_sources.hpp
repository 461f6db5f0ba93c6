// Synthetic traffic: sources behind the interfaces of a network.
#pragma once

#include "models/endpoints/message_observer.hpp"
#include "models/routing/random.hpp"
#include "models/traffic/arrivals.hpp"
#include "models/traffic/message_sizes.hpp"
#include "models/traffic/pattern.hpp"

#include <vector>

namespace nocturne {

/// What the sources of a network send. A value.
struct Traffic {
    TrafficPattern pattern;
    double load = 0; ///< mean over the processors, offered flits per processor and cycle
    MessageSizes sizes{{{8}}};
    ArrivalProcess arrivals = BernoulliArrivals{};
    std::uint64_t seed = 1; ///< of the whole experiment; each processor draws a sequence of its own
    /// A source whose queue is as long as that makes no more: without a bound, memory and the time to run
    /// empty would follow the load beyond saturation. 1 or more.
    std::size_t queue_packets = 2000;
};

/// Throws std::invalid_argument unless queues have a length, and, naming the processor, unless every
/// processor can send what it is to offer: its load is 0 or more and no more than its injection links carry,
/// a flit a cycle each, and Arrivals can offer it.
void check_load(const Traffic& traffic, const Topology& topology, PortModel ports);

/// The highest load that check_load() takes; the load of `traffic` itself does not matter.
double highest_load(const Traffic& traffic, const Topology& topology, PortModel ports);

/// At each processor one that sends messages to the processors that the pattern says, at the times that the
/// arrival process says, until it is stopped.
class TrafficSources final : public MessageClient {
public:
    /// All that it is given must outlive it. `client`: their number in the network. Throws
    /// std::invalid_argument for a load out of range, see Arrivals.
    TrafficSources(MessageNetwork& network, const Routing& routing, const Traffic& traffic,
                   MessageObserver& observer, std::uint8_t client = 0);

    /// They send nothing from now on; what they have sent goes on.
    void stop() { is_stopped_ = true; }
    /// Messages that were not made because the queue was full.
    std::uint64_t rejections() const { return rejections_; }

    void message_arrived(const NetworkMessage& message, ProcessorId at) override
    {
        observer_.message_delivered(message, at);
    }
    /// `id`: whose next message is due.
    void timer(std::uint32_t id) override;

private:
    struct Source {
        SplitMix64 random; ///< destinations and sizes
        Arrivals arrivals;
        std::uint32_t messages = 0; ///< made so far
    };

    void set_timer(ProcessorId id);
    void send(ProcessorId id);

    MessageNetwork& network_;
    const Routing& routing_;
    const Traffic& traffic_;
    MessageObserver& observer_;
    const std::uint8_t client_;
    const std::uint64_t last_cycle_; ///< of the network
    std::vector<Source> sources_;    ///< by processor
    std::uint64_t rejections_ = 0;
    bool is_stopped_ = false;
};

} // namespace nocturne
