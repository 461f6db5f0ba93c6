// The machine of a recovery: DMA engines that a host drives on a network in which something fails.
#pragma once

#include "models/topology/faults.hpp"
#include "sim/execution/collective_contents.hpp"
#include "sim/execution/dma_machine.hpp"
#include "sim/execution/simulate.hpp"

#include <memory>
#include <vector>

namespace nocturne {

class RecoveryMachine {
public:
    /// Builds the network for a workload that runs first, with a fault planned. At the flit level only one
    /// fits a process, see simulate(). All that it is given must outlive it.
    RecoveryMachine(const Topology& topology, const Collective& collective, const Workload& workload,
                    const SimulationOptions& options, const Faults& faults, DownTime down);

    /// The programs of all engines, none of which may be busy. The workload must outlive the run. `time_out`:
    /// cycles for a step of an engine.
    void program(const Workload& workload, std::uint64_t message_bytes, std::uint32_t time_out);
    /// All engines.
    void start();

    /// To be driven.
    DmaMachine& engines() { return engines_; }
    MessageNetwork& network() { return *network_; }
    /// Does the receiver hold what the collective owes it?
    bool holds(const Demand& demand) const;

private:
    const Collective& collective_;
    const SimulationOptions& options_;
    const ContentForm form_;
    const CollectiveContents contents_;
    const std::unique_ptr<MessageNetwork> network_;
    Memories memories_;
    DmaMachine engines_;
    /// The last one is programmed; messages of those before it may still be under way.
    std::vector<std::unique_ptr<const Program>> programs_;
    Routing routing_;
    std::uint32_t time_out_ = 0;
};

} // namespace nocturne
