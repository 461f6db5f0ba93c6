// One simulation of one workload in the message-level model.
#pragma once

#include "sim/simulation/simulate.hpp"
#include "sim/simulation/workload.hpp"

namespace nocturne {

/// What simulate() does, on a WormNetwork: as many simulations in a process as you like. The engines behave
/// as DmaEngine. Of the contents of a message only a digest of 64 bits is kept where it lies, and travels
/// with it; RunResult::memory_ok says that every receiver holds the right one. head_wait_cycles are counted,
/// not blocked_cycles and credit_wait_cycles. Throws std::invalid_argument for what only the flit-level model
/// can do (adaptive routing, traces of links), and as simulate().
SimulationResult simulate_worm(const Topology& topology, const Collective& collective,
                               const Workload& workload, const SimulationOptions& options);

/// About what one such simulation takes, the workload included.
std::uint64_t worm_simulation_bytes(const Topology& topology, const HardwareConfig& hardware, PortModel ports,
                                    const Workload& workload);

} // namespace nocturne
