// A machine whose DMA engines a host drives: what such a host may do, whatever the level of the simulation.
#pragma once

#include "models/network/message_network.hpp"
#include "sim/simulation/workload.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// What the status register of an engine says.
struct EngineStatus {
    bool is_done = false;
    bool has_failed = false; ///< a step was not over when its time-out expired
    bool is_busy = false;    ///< it runs, or messages that it has issued have not left yet
};

/// A message that has come whole.
struct Arrival {
    ProcessorId source;
    MessageId message;

    friend auto operator<=>(const Arrival&, const Arrival&) = default;
};

/// What an engine has done since its start.
struct EngineLog {
    std::vector<Arrival> arrivals; ///< in order
    std::uint32_t sent = 0;        ///< messages that have left, in the order of the program
};

/// Called between two cycles, never from within the simulation. Time stands still meanwhile: what the host
/// takes for an access it lets pass by run_for().
class DrivenMachine {
public:
    virtual ~DrivenMachine() = default;

    /// Clock cycles since the beginning.
    virtual std::uint64_t now() const = 0;
    /// The programs of all engines, none of which may be busy. The workload must outlive the run. `time_out`:
    /// see dma_register::time_out.
    virtual void program(const Workload& workload, std::uint64_t message_bytes, std::uint32_t time_out) = 0;
    /// All engines.
    virtual void start() = 0;
    /// All engines that run.
    virtual void halt() = 0;
    /// Until the end of a cycle in which engines become done or fail; false if nothing moves any more.
    virtual bool run_to_interrupt() = 0;
    virtual void run_for(std::uint64_t cycles) = 0;

    virtual EngineStatus status(ProcessorId id) = 0;
    /// Throws std::runtime_error if the engine has failed for another reason than a time-out.
    virtual EngineLog log(ProcessorId id) = 0;
    /// Does the receiver hold what the collective owes it?
    virtual bool holds(const Demand& demand) = 0;
    /// Flits that faults have cost.
    virtual std::uint64_t flits_lost() = 0;
    /// The network, to be observed.
    virtual MessageNetwork& message_network() = 0;
};

} // namespace nocturne
