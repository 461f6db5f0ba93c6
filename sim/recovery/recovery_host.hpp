// The host of a machine in which something may fail: runs programs on its DMA engines, and reads from their
// registers and memories what became of them.
#pragma once

#include "sim/execution/collective_contents.hpp"
#include "sim/execution/dma_machine.hpp"
#include "sim/recovery/recovery.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace nocturne {

/// How long the host waits, clock cycles.
struct Timeouts {
    std::uint64_t time_out = 0; ///< of a step, start-up included
    std::uint64_t drain = 0;    ///< after a time-out, until what is under way has come
};

/// Under a barrier, where no message of a step waits for another: the start-up and twice the longest
/// message's time. Otherwise a step may have to wait for all others: all start-ups, and four times what the
/// busiest channel and the busiest processor carry.
Timeouts timeouts_for(const Workload& workload, const Topology& topology, const HardwareConfig& hardware,
                      std::uint64_t message_bytes);

struct RunReport {
    bool is_done = false;                       ///< every engine is
    std::uint64_t started = 0;                  ///< cycle in which the engines were
    std::uint64_t reported = 0;                 ///< when it was done, or the first time-out came
    std::vector<std::vector<Arrival>> arrivals; ///< by processor
    std::vector<std::uint32_t> sent;            ///< messages, in the order of the program, by processor
};

/// DMA engines on a network in which something fails, and the program of a CPU that drives them, written
/// down where exceptions and searches in worker processes are possible. Its accesses cost time all the same,
/// a fixed one for each word of 32 bits, in whole cycles.
class RecoveryHost {
public:
    /// Builds the network for a workload that runs first, with the faults of the options planned. At the flit
    /// level only one fits a process, see simulate(). All that it is given must outlive it.
    RecoveryHost(const Topology& topology, const Collective& collective, const Workload& workload,
                 const SimulationOptions& simulation, const RecoveryOptions& options);

    /// Writes the programs and registers, without starting anything; no engine may be busy, and the workload
    /// must outlive the run. Throws std::invalid_argument for a time-out that its register does not hold.
    void program(const Workload& workload, std::uint64_t message_bytes, const Timeouts& timeouts);
    /// After the time that the host took for the programs (none at time 0) starts all engines, and waits
    /// until all are done, or one reports; then halts the others, and reads everything.
    RunReport run(const Timeouts& timeouts);
    /// Lets simulated time pass.
    void wait_ns(double ns);

    MessageNetwork& network() { return *network_; }
    /// Does the receiver hold what the collective owes it?
    bool holds(const Demand& demand) const;

    std::uint64_t now() const { return engines_.now(); }
    double now_ns() const { return in_ns(now()); }
    double in_ns(std::uint64_t cycle) const
    {
        return static_cast<double>(cycle) * simulation_.hardware.cycle_ns;
    }

private:
    template <typename Asks>
    bool asks_until(const Asks& is_found);
    bool all_are_done();
    bool one_has_failed();
    bool one_is_busy();
    void halt_all(std::uint64_t drain_cycles);
    void pay();

    const Collective& collective_;
    const SimulationOptions& simulation_;
    const ContentForm form_;
    const CollectiveContents contents_;
    const std::unique_ptr<MessageNetwork> network_;
    Memories memories_;
    DmaMachine engines_;
    /// The last one is programmed; messages of those before it may still be under way.
    std::vector<std::unique_ptr<const Program>> programs_;
    Routing routing_;
    const std::size_t processors_;
    const double word_ns_;
    std::uint64_t words_ = 0; ///< read and written since it paid for them
};

} // namespace nocturne
