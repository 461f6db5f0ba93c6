// A run of a workload, whatever the level of the simulation.
#pragma once

#include "models/hardware/network_plan.hpp"
#include "sim/simulation/message_contents.hpp"
#include "sim/simulation/occupancy.hpp"
#include "sim/simulation/simulate.hpp"

#include <utility>

namespace nocturne {

/// What a run has of its network, when it is over and its time is known.
void add_network_results(RunResult& run, const MessageNetwork& network, const HardwareConfig& hardware);

/// Lets a machine of DMA engines run until nothing moves, and asks it what has become of everything. Of
/// background traffic, if there is any, `beside` is the routing. The machine has network(); begin() and
/// end(), around the run; is_done(), messages() that have come and latency_cycles() of them, end_ns(),
/// stall() if it is not done, step_times_ns(); content_of(demand), what a receiver is owed, and
/// holds(demand, content).
template <class Machine>
SimulationResult run_workload(Machine& machine, const std::optional<Routing>& beside,
                              const Collective& collective, const Workload& workload,
                              const SimulationOptions& options)
{
    MessageNetwork& network = machine.network();
    std::optional<OccupancyRecorder> recorder;
    if (options.record_occupancy)
        recorder.emplace(network, options.hardware.cycle_ns);
    machine.begin();
    if (beside) {
        BackgroundSources background(network, *beside, options.ports, *options.background);
        run_beside(background, network, options.hardware,
                   {[&] { return machine.is_done(); }, [&] { return machine.messages(); }});
    } else {
        network.drain();
    }
    machine.end();
    SimulationResult result;
    RunResult& run = result.run;
    run.model = to_string(options.model);
    run.traffic = workload.traffic;
    run.routing = workload.routing;
    run.selection = selection_taken(routing_of(workload), options.hardware);
    run.message_bytes = options.message_bytes;
    if (const std::uint64_t messages = machine.messages(); messages > 0)
        run.average_message_latency_cycles =
            static_cast<double>(machine.latency_cycles()) / static_cast<double>(messages);
    run.time_ns = machine.end_ns();
    if (!machine.is_done()) {
        run.stall = machine.stall();
        run.time_ns = run.stall->time_ns;
    }
    add_network_results(run, network, options.hardware);
    if (recorder)
        run.occupancy = recorder->take();
    decltype(machine.content_of(collective.demands.front())) content{};
    const Demand* before = nullptr;
    for (const Demand& demand : collective.demands) {
        if (before == nullptr || !have_same_content(*before, demand))
            content = machine.content_of(demand);
        before = &demand;
        ++run.messages_owed;
        run.messages_delivered += machine.holds(demand, content) ? 1 : 0;
    }
    run.memory_ok = run.messages_delivered == run.messages_owed;
    result.step_times_ns = machine.step_times_ns();
    return result;
}

} // namespace nocturne
