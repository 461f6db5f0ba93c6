// Traffic that nobody scheduled: a source behind a network interface.
#pragma once

#include "models/hardware/network.hpp"
#include "models/routing/random.hpp"
#include "models/traffic/arrivals.hpp"

#include <systemc>

namespace nocturne {

struct TrafficSourceConfig {
    double load = 0;           ///< offered, flits per cycle, 0..1
    unsigned packet_flits = 8; ///< 1 or more
    std::uint64_t seed = 1;    ///< of the whole experiment; each processor draws a sequence of its own
    Cycle stop = 0;            ///< no packet is made from this cycle on
};

/// Bernoulli arrivals, uniformly random destinations (the source among them), counted on arrival.
class TrafficSource final : public sc_core::sc_module, public Clocked, public PacketClient {
public:
    /// Throws std::invalid_argument for a load or packet size out of range.
    TrafficSource(const sc_core::sc_module_name& name, Network& network, const Routing& routing,
                  ProcessorId processor, const TrafficSourceConfig& config);

    std::uint64_t packets_sent() const { return sent_; }
    std::uint64_t packets_received() const { return received_; }
    /// Cycles from the source queue to the last flit, summed over the packets received.
    std::uint64_t latency_cycles() const { return latency_cycles_; }

    void on_event(std::uint32_t code, std::uint64_t data) override;
    void packet_sent(const Packet&) override { ++sent_; }
    void flit_arrived(const Packet&, std::uint32_t) override {}
    void packet_arrived(const Packet& packet) override;

private:
    void start_of_simulation() override { schedule_next(); }
    void schedule_next();

    Network& network_;
    const Routing& routing_;
    ProcessorId processor_;
    TrafficSourceConfig config_;
    SplitMix64 random_; ///< destinations
    Arrivals arrivals_;
    std::uint64_t sent_ = 0;
    std::uint64_t received_ = 0;
    std::uint64_t latency_cycles_ = 0;
};

} // namespace nocturne
