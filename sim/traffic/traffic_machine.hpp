// A network with sources of synthetic traffic, whatever the level at which it is simulated.
#pragma once

#include "models/routing/routing.hpp"
#include "sim/traffic/measure.hpp"
#include "sim/traffic/packet_counts.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace nocturne {

/// What measure_traffic() runs, phase by phase.
class TrafficMachine {
public:
    virtual ~TrafficMachine() = default;

    /// Everything before a cycle, unless a deadlock ends the run.
    virtual void run_to(std::uint64_t end) = 0;
    virtual bool is_deadlocked() const = 0;
    /// The sources send nothing from now on.
    virtual void stop_sources() = 0;
    /// Until nothing moves any more, unless there is a deadlock.
    virtual void drain() = 0;

    /// Has a source queue been full?
    virtual bool has_overflow() const = 0;
    virtual const PacketCounts& counts() const = 0;
    /// Packets created since the start.
    virtual std::uint64_t packets() const = 0;
    /// At the end: why packets are still in the network. Throws std::logic_error if one did not arrive once.
    virtual std::optional<Stall> checked_stall() const = 0;

    virtual std::uint64_t flit_hops() const = 0;
    /// So far, as RunResult's.
    virtual std::uint64_t blocked_cycles() const = 0;
    virtual std::uint64_t credit_wait_cycles() const = 0;
    virtual std::uint32_t links() const = 0;
    virtual std::string link_name(std::uint32_t link) const = 0;
    /// Cycles in which flits have entered it.
    virtual std::uint64_t busy_cycles(std::uint32_t link) const = 0;
    virtual std::uint64_t flits(std::uint32_t link) const = 0;
    virtual std::uint64_t packets(std::uint32_t link) const = 0;
};

/// What a machine is made of; all of it must outlive the machine.
struct TrafficSetup {
    const Topology& topology;
    const Routing& routing;
    const MeasuredNetwork& network;
    const Traffic& traffic;
};

/// `end`: the last cycle that run_to() will be called with. Throws as measure_traffic().
std::unique_ptr<TrafficMachine> make_flit_machine(const TrafficSetup& setup, const Window& window,
                                                  std::uint64_t end);
/// In the message-level model. Throws std::invalid_argument for adaptive routing.
std::unique_ptr<TrafficMachine> make_worm_machine(const TrafficSetup& setup, const Window& window);

} // namespace nocturne
