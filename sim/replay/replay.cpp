#include "sim/replay/replay.hpp"

#include "models/network/zero_load.hpp"
#include "models/routing/paths.hpp"
#include "schedules/collective/bandwidth.hpp"
#include "schedules/problem/chunk_problem.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/validator.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/execution/chunk_times.hpp"

#include <algorithm>
#include <optional>

namespace nocturne {

double hop_overhead_ns(const Schedule& schedule, const Topology& topology, const HardwareConfig& hardware)
{
    std::uint64_t cycles = 0;
    for (const Step& step : schedule.steps) {
        std::uint64_t longest = 0;
        for (const Transfer& transfer : step) {
            // One flit's latency less the cycle that the model counts as its transfer time.
            longest =
                std::max(longest, zero_load_cycles(topology, hardware, route_along(*transfer.path), 1) - 1);
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

double time_by_model_ns(const Schedule& schedule, const Topology& topology, const SimulationOptions& options)
{
    if (!is_between_memories(schedule))
        return model_time_ns(schedule, options.message_bytes, options.hardware);
    const double cycle_ns = options.hardware.cycle_ns;
    return time_of(schedule, link_network_of(topology, options.links),
                   {.bytes_per_weight = static_cast<double>(options.message_bytes),
                    .start_cycles = options.hardware.t0_ns / cycle_ns}) *
           cycle_ns;
}

ReplayResult replay(const Schedule& schedule, const Topology& topology, Synchronization synchronization,
                    const SimulationOptions& options)
{
    const Job job = [&] {
        return nlohmann::json(replay_in_this_process(schedule, topology, synchronization, options));
    };
    return run_jobs(std::span(&job, 1)).front().get<ReplayResult>();
}

namespace {

/// Of chunks, before the run.
void describe_chunks(ReplayResult& result, const Schedule& schedule, const Topology& topology,
                     const LinkNetwork& network, const SimulationOptions& options)
{
    result.chunks = schedule.collective.parts;
    result.bytes = options.message_bytes * largest_contribution(schedule.collective);
    const std::vector<double> ends =
        expected_end_cycles(schedule, topology, network, options.hardware, options.message_bytes).ends;
    result.unblocked_ns = ends.empty() ? 0 : *std::ranges::max_element(ends) * options.hardware.cycle_ns;
}

/// Of chunks that ran to the end.
void add_bandwidth(ReplayResult& result, const Collective& collective)
{
    if (result.run.stall || result.run.time_ns <= 0)
        return;
    result.algorithm_bandwidth =
        algorithm_bytes(collective, static_cast<double>(*result.bytes)) / result.run.time_ns; // bytes a ns
    result.bus_bandwidth = *result.algorithm_bandwidth * bus_factor(collective);
}

} // namespace

ReplayResult replay_in_this_process(const Schedule& schedule, const Topology& topology,
                                    Synchronization synchronization, const SimulationOptions& options)
{
    options.hardware.validate();
    const bool is_of_chunks = is_between_memories(schedule);
    std::optional<LinkNetwork> network;
    if (is_of_chunks)
        network = link_network_of(topology, options.links);
    ReplayResult result;
    result.schedule = schedule.name;
    result.topology = topology.name();
    result.collective = std::string(to_string(schedule.collective.kind));
    result.ports = to_string(schedule.ports);
    result.mode = is_in_steps(schedule) ? to_string(synchronization) : "dependencies";
    if (is_in_steps(schedule))
        result.steps = count_steps(schedule);
    else
        result.steps.reset();
    for (const Violation& violation :
         is_of_chunks ? validate(schedule, *network) : validate(schedule, topology))
        result.violations.push_back(violation.text);
    result.valid = result.violations.empty();
    result.run.message_bytes = options.message_bytes;
    if (!result.valid)
        return result;
    const SimulationOptions fitted = fitted_to(schedule, topology, options);
    result.ports = to_string(fitted.ports);
    result.model_time_ns = time_by_model_ns(schedule, topology, options);
    if (is_of_chunks)
        describe_chunks(result, schedule, topology, *network, options);
    else
        result.hop_overhead_ns = hop_overhead_ns(schedule, topology, options.hardware);
    SimulationResult simulation = simulate(schedule, topology, synchronization, fitted);
    result.run = std::move(simulation.run);
    result.step_times_ns = std::move(simulation.step_times_ns);
    if (is_of_chunks) {
        result.staging_bytes = simulation.staging_bytes;
        add_bandwidth(result, schedule.collective);
    }
    return result;
}

} // namespace nocturne
