#include "sim/simulation/simulate_worm.hpp"

#include "sim/simulation/buffer_need.hpp"
#include "sim/simulation/message_contents.hpp"
#include "sim/simulation/occupancy.hpp"
#include "sim/simulation/stalls.hpp"
#include "sim/simulation/worm_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

void require_message_level(const Workload& workload, const SimulationOptions& options)
{
    const auto refuse = [](bool wanted, const char* what) {
        if (wanted)
            throw std::invalid_argument(fmt::format("model worm: no {}; that takes the model flit", what));
    };
    refuse(workload.adaptive != nullptr, "adaptive routing");
    refuse(!options.vcd.empty(), "link traces");
}

} // namespace

void add_network_results(RunResult& run, const MessageNetwork& network, const HardwareConfig& hardware)
{
    run.blocked_cycles = network.blocked_cycles();
    run.credit_wait_cycles = network.credit_wait_cycles();
    run.missing_buffer_flits = missing_buffer_flits(network.topology(), hardware);
    run.flit_hops = network.flit_hops();
    for (std::uint32_t link = 0; link < network.plan().links(); ++link) {
        const double busy_ns = static_cast<double>(network.busy_cycles(link)) * hardware.cycle_ns;
        run.channels.push_back({network.plan().link_name(link), network.flits(link), network.messages(link),
                                run.time_ns > 0 ? busy_ns / run.time_ns : 0});
    }
}

SimulationResult simulate_worm(const Topology& topology, const Collective& collective,
                               const Workload& workload, const SimulationOptions& options)
{
    require_message_level(workload, options);
    const double cycle_ns = options.hardware.cycle_ns;
    const std::optional<Routing> beside =
        routing_beside(options.background, topology, options.hardware, workload.vc_classes);
    WormMachine machine(topology, collective, workload, options,
                        beside ? beside->vc_classes : workload.vc_classes);
    WormNetwork& network = machine.network();
    std::optional<OccupancyRecorder> recorder;
    if (options.record_occupancy)
        recorder.emplace(network, cycle_ns);
    machine.begin();
    if (beside) {
        BackgroundSources background(network, *beside, options.ports, *options.background);
        run_beside(background, network, options.hardware,
                   {[&] { return machine.is_done(); }, [&] { return machine.messages(); }});
    } else {
        network.drain();
    }
    SimulationResult result;
    RunResult& run = result.run;
    run.model = to_string(NetworkModel::worm);
    run.traffic = workload.traffic;
    run.routing = workload.routing;
    run.message_bytes = options.message_bytes;
    if (machine.messages() > 0)
        run.average_message_latency_cycles =
            static_cast<double>(machine.latency_cycles()) / static_cast<double>(machine.messages());
    run.time_ns = static_cast<double>(machine.end_cycle()) * cycle_ns;
    if (!machine.is_done()) {
        run.stall = stall_of_engines(network);
        run.time_ns = run.stall->time_ns;
    }
    add_network_results(run, network, options.hardware);
    if (recorder)
        run.occupancy = recorder->take();
    std::uint64_t key = 0;
    const Demand* before = nullptr;
    for (const Demand& demand : collective.demands) {
        if (before == nullptr || !have_same_content(*before, demand))
            key = owed_key(collective, demand, options.seed);
        before = &demand;
        ++run.messages_owed;
        run.messages_delivered += machine.has_key(demand.receiver, demand.chunk, key) ? 1 : 0;
    }
    run.memory_ok = run.messages_delivered == run.messages_owed;
    for (const std::uint64_t cycles : machine.step_cycles())
        result.step_times_ns.push_back(static_cast<double>(cycles) * cycle_ns);
    return result;
}

std::uint64_t worm_simulation_bytes(const Topology& topology, const HardwareConfig& hardware, PortModel ports,
                                    const Workload& workload)
{
    constexpr std::uint64_t message_bytes = 400; // its route in the workload, its places at both ends
    constexpr std::uint64_t channel_bytes = 80;
    std::uint64_t links = topology.channel_count();
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        links += send_ports(topology, id, ports) + receive_ports(topology, id, ports);
    constexpr std::uint64_t combination_bytes = sizeof(Combination) + sizeof(std::uint64_t);
    std::uint64_t combinations = 0;
    for (const std::vector<Combination>& each : workload.combinations)
        combinations += each.size();
    std::uint64_t messages = 0;
    std::uint64_t steps = 0;
    for (const auto& engine : workload.engines) {
        steps += engine.size();
        for (const EngineStep& step : engine)
            messages += step.sends.size();
    }
    return messages * message_bytes + combinations * combination_bytes +
           steps * (sizeof(EngineStep) + sizeof(std::int64_t)) + links * hardware.vcs * channel_bytes;
}

} // namespace nocturne
