// Synthetic traffic: a source behind a network interface.
#pragma once

#include "models/hardware/network.hpp"
#include "models/hardware/traffic_observer.hpp"
#include "models/routing/random.hpp"
#include "models/traffic/arrivals.hpp"
#include "models/traffic/message_sizes.hpp"
#include "models/traffic/pattern.hpp"

#include <systemc>

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

/// Sends packets to the processors that the pattern says, at the times that the arrival process says, until
/// it is stopped.
class TrafficSource final : public sc_core::sc_module, public Clocked, public PacketClient {
public:
    /// All that it is given must outlive it. `client`: of its packets, and of the network interface that they
    /// come to. Throws std::invalid_argument for a load out of range, see Arrivals.
    TrafficSource(const sc_core::sc_module_name& name, Network& network, const Routing& routing,
                  ProcessorId processor, const Traffic& traffic, TrafficObserver& observer,
                  std::uint8_t client = 0);

    /// Sends no packet from now on; what it has sent goes on.
    void stop() { stopped_ = true; }
    /// Packets that were not made because the queue was full.
    std::uint64_t rejections() const { return rejections_; }

    void on_event(std::uint32_t code, std::uint64_t data) override;
    void packet_sent(const Packet&) override {}
    void flit_arrived(const Packet&, std::uint32_t) override {}
    bool wants_flits() const override { return false; }
    void packet_arrived(const Packet& packet) override { observer_.packet_delivered(packet, processor_); }

private:
    void start_of_simulation() override { schedule_next(); }
    void schedule_next();
    void send_packet();

    Network& network_;
    const Routing& routing_;
    const ProcessorId processor_;
    const Traffic& traffic_;
    TrafficObserver& observer_;
    const std::uint8_t client_;
    SplitMix64 random_; ///< destinations and sizes
    Arrivals arrivals_;
    std::uint32_t packets_ = 0; ///< made so far
    std::uint64_t rejections_ = 0;
    bool stopped_ = false;
};

} // namespace nocturne
