// The host of a machine in which something may fail: runs programs on its DMA engines, and reads from their
// registers and memories what became of them.
#pragma once

#include "sim/simulation/system.hpp"

#include <map>
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

/// Where messages lie: by processor. Numbers behind the collective's are probes.
using MessageAddresses = std::vector<std::map<MessageId, std::uint32_t>>;

struct RunReport {
    bool is_done = false;                             ///< every engine is
    sc_core::sc_time started;                         ///< when the engines were
    sc_core::sc_time reported;                        ///< when it was done, or the first time-out came
    std::vector<std::vector<ArrivalRecord>> arrivals; ///< by processor
    std::vector<std::uint32_t> sent;                  ///< messages, in the order of the program, by processor
};

/// Called between two runs of the kernel, never from a process of it: the program of a CPU, written down
/// where exceptions and searches in worker processes are possible. Its accesses cost time all the same, a
/// fixed one for each word.
class RecoveryHost {
public:
    RecoveryHost(System& system, const Topology& topology, double word_ns);

    /// The memory of a processor needs this much behind what compile_dma_programs() asks for.
    static std::uint64_t extra_bytes(const CompiledEngine& engine, const Topology& topology,
                                     std::size_t messages, std::uint64_t message_bytes);
    /// Lays out the memories, whose parts compile_dma_programs() has asked for end at `used`.
    void lay_out(const std::vector<CompiledEngine>& engines, const Topology& topology, std::size_t messages,
                 std::uint64_t message_bytes);

    /// Writes the programs and registers, without starting anything. Throws std::runtime_error if there is no
    /// room, and std::invalid_argument for a time-out that its register does not hold.
    void program(const Workload& workload, std::uint64_t message_bytes, const Timeouts& timeouts);
    /// After the time that the host took for the programs (none at time 0) starts all engines, and waits
    /// until all are done, or one reports; then halts the others, and reads everything.
    RunReport run(const Workload& workload, const Timeouts& timeouts);
    /// Lets simulated time pass.
    void wait(const sc_core::sc_time& time);

    const MessageAddresses& places() const { return places_; }

private:
    void make_places(const Workload& workload, std::uint64_t message_bytes);
    bool all_have(std::uint32_t bits);
    bool any_has(std::uint32_t bits);
    void pay();

    System& system_;
    Host& host_;
    const std::size_t processors_;
    const sc_core::sc_time word_time_;
    const sc_core::sc_time cycle_;
    std::uint64_t paid_words_ = 0;
    MessageAddresses places_;
    std::vector<std::uint32_t> records_;    ///< by processor: address of the arrival records
    std::vector<std::uint32_t> free_;       ///< the part in between is free: programs below,
    std::vector<std::uint32_t> ceiling_;    ///< messages above
    std::vector<std::size_t> most_records_; ///< by processor: there is room for so many
};

} // namespace nocturne
