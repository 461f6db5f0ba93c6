#include "sim/replay/replay.hpp"

#include "models/network/zero_load.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/workers/workers.hpp"

#include <algorithm>

namespace nocturne {

double hop_overhead_ns(const Schedule& schedule, const Topology& topology, const HardwareConfig& hardware)
{
    std::uint64_t cycles = 0;
    for (const Step& step : schedule.steps) {
        std::uint64_t longest = 0;
        for (const Transfer& transfer : step) {
            Route route;
            for (const ChannelId channel : *transfer.path)
                route.push_back({channel, 0});
            // One flit's latency less the cycle that the model counts as its transfer time.
            longest = std::max(longest, zero_load_cycles(topology, hardware, route, 1) - 1);
        }
        cycles += longest;
    }
    return static_cast<double>(cycles) * hardware.cycle_ns;
}

double model_time_ns(const Schedule& schedule, std::uint64_t message_bytes, const HardwareConfig& hardware)
{
    return (hardware.t0_ns + static_cast<double>(message_bytes) * hardware.t1_ns_per_byte()) *
           static_cast<double>(schedule.steps.size());
}

ReplayResult replay(const Schedule& schedule, const Topology& topology, Synchronization synchronization,
                    const SimulationOptions& options)
{
    const Job job = [&] {
        return nlohmann::json(replay_in_this_process(schedule, topology, synchronization, options));
    };
    return run_jobs(std::span(&job, 1)).front().get<ReplayResult>();
}

ReplayResult replay_in_this_process(const Schedule& schedule, const Topology& topology,
                                    Synchronization synchronization, const SimulationOptions& options)
{
    options.hardware.validate();
    ReplayResult result;
    result.schedule = schedule.name;
    result.topology = topology.name();
    result.collective = std::string(to_string(schedule.collective.kind));
    result.ports = to_string(schedule.ports);
    result.mode = to_string(synchronization);
    result.steps = static_cast<std::uint32_t>(schedule.steps.size());
    result.model_time_ns = model_time_ns(schedule, options.message_bytes, options.hardware);
    for (const Violation& violation : validate(schedule, topology))
        result.violations.push_back(violation.text);
    result.valid = result.violations.empty();
    result.run.message_bytes = options.message_bytes;
    if (!result.valid)
        return result;
    result.hop_overhead_ns = hop_overhead_ns(schedule, topology, options.hardware);
    SimulationOptions with_ports = options;
    with_ports.ports = schedule.ports;
    SimulationResult simulation =
        simulate(topology, schedule.collective, workload_of(schedule, topology, synchronization), with_ports);
    result.run = std::move(simulation.run);
    result.step_times_ns = std::move(simulation.step_times_ns);
    return result;
}

} // namespace nocturne
