// A schedule on the simulated hardware, beside the model (t0 + m t1) * steps.
#pragma once

#include "sim/execution/simulate.hpp"

namespace nocturne {

/// What the model neglects of a schedule, ns: for each step the pipeline and link delays of its longest path,
/// summed. Under a barrier a valid schedule takes (t0 + m t1) * steps and this, exactly, if t0 is whole
/// cycles, m whole flits, no link narrower than a flit, and no buffer smaller than full_rate_buffer_of() its
/// link (HardwareConfig::buffer_flits = 0; 8 are enough for a latency of 1). Otherwise it takes longer.
double hop_overhead_ns(const Schedule& schedule, const Topology& topology, const HardwareConfig& hardware);

/// (t0 + m t1) * steps, ns.
double model_time_ns(const Schedule& schedule, std::uint64_t message_bytes, const HardwareConfig& hardware);

/// What a schedule takes by the model by which it was searched for, ns: model_time_ns(), or of chunks
/// alpha + beta time with t0 as the start-up of each transfer: PortfolioResult::cycles if t0 is that of the
/// search. `bytes`: see SimulationOptions::message_bytes.
double time_by_model_ns(const Schedule& schedule, const Topology& topology, const SimulationOptions& options);

/// Judges the schedule and, if it is valid, simulates it in a worker process: as often as you like. An
/// invalid one comes back with its violations and without a run. `options.ports` is ignored: the port model
/// is the schedule's. A schedule of chunks has no mode but its own. Throws what simulate() throws.
ReplayResult replay(const Schedule& schedule, const Topology& topology, Synchronization synchronization,
                    const SimulationOptions& options);

/// The same in this process, once: for programs that have processes of their own, and for jobs.
ReplayResult replay_in_this_process(const Schedule& schedule, const Topology& topology,
                                    Synchronization synchronization, const SimulationOptions& options);

} // namespace nocturne
