#include "sim/simulation/simulate_worm.hpp"

#include "sim/simulation/run_workload.hpp"
#include "sim/simulation/worm_machine.hpp"

#include <fmt/format.h>

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

SimulationResult simulate_worm(const Topology& topology, const Collective& collective,
                               const Workload& workload, const SimulationOptions& options)
{
    require_message_level(workload, options);
    const std::optional<Routing> beside =
        routing_beside(options.background, topology, options.hardware, workload.vc_classes);
    WormMachine machine(topology, collective, workload, options,
                        beside ? beside->vc_classes : workload.vc_classes);
    return run_workload(machine, beside, collective, workload, options);
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
