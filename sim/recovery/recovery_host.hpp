// The host of a machine in which something may fail: runs programs on its DMA engines, and reads from their
// registers and memories what became of them.
#pragma once

#include "models/network/configuration.hpp"
#include "sim/recovery/recovery_machine.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// How long the host waits, clock cycles.
struct Timeouts {
    std::uint64_t time_out = 0; ///< of a step: see dma_register::time_out
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

/// The program of a CPU, written down where exceptions and searches in worker processes are possible. Its
/// accesses cost time all the same, a fixed one for each word of 32 bits, in whole cycles.
class RecoveryHost {
public:
    /// The machine must outlive it.
    RecoveryHost(RecoveryMachine& machine, std::size_t processors, const HardwareConfig& hardware,
                 double word_ns);

    /// Writes the programs and registers, without starting anything. Throws as the machine, and
    /// std::invalid_argument for a time-out that its register does not hold.
    void program(const Workload& workload, std::uint64_t message_bytes, const Timeouts& timeouts);
    /// After the time that the host took for the programs (none at time 0) starts all engines, and waits
    /// until all are done, or one reports; then halts the others, and reads everything.
    RunReport run(const Timeouts& timeouts);
    /// Lets simulated time pass.
    void wait_ns(double ns);

    std::uint64_t now() const { return machine_.engines().now(); }
    double now_ns() const { return in_ns(now()); }
    double in_ns(std::uint64_t cycle) const { return static_cast<double>(cycle) * cycle_ns_; }

private:
    template <typename Asks>
    bool asks_until(const Asks& is_found);
    bool all_are_done();
    bool one_has_failed();
    bool one_is_busy();
    void halt_all(std::uint64_t drain_cycles);
    void pay();

    RecoveryMachine& machine_;
    const std::size_t processors_;
    const double cycle_ns_;
    const double word_ns_;
    std::uint64_t words_ = 0; ///< read and written since it paid for them
};

} // namespace nocturne
