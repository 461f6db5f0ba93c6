#include "sim/replay/compare.hpp"

#include "schedules/schedule/validator.hpp"
#include "sim/replay/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

/// What a run takes with each size. The jobs would find out too that one is too large, but the one that does
/// may be the last.
std::vector<std::uint64_t> bytes_of_runs(const Schedule& schedule, const Topology& topology,
                                         SimulationOptions options,
                                         const std::vector<std::uint64_t>& message_bytes)
{
    std::vector<std::uint64_t> bytes;
    for (const std::uint64_t size : message_bytes) {
        options.message_bytes = size;
        bytes.push_back(simulation_bytes(schedule, topology, options));
    }
    return bytes;
}

/// Judged on the network that it is for.
std::vector<Violation> violations_of(const Schedule& schedule, const Topology& topology,
                                     const LinkDefaults& links)
{
    return is_between_memories(schedule) ? validate(schedule, link_network_of(topology, links))
                                         : validate(schedule, topology);
}

/// Of all runs of a size.
SimulationOptions simulation_of(const Schedule& schedule, const Topology& topology,
                                const ComparisonOptions& options, std::uint64_t bytes)
{
    SimulationOptions simulation = options.simulation;
    simulation.ports = schedule.ports;
    simulation.message_bytes = bytes;
    return fitted_to(schedule, topology, simulation);
}

} // namespace

std::vector<ReplayResult> replay_sizes(const Schedule& schedule, const Topology& topology,
                                       const ReplaySeries& series)
{
    WorkerOptions workers = series.workers;
    if (violations_of(schedule, topology, series.simulation.links).empty())
        workers.workers = workers_that_fit(
            workers.workers, bytes_of_runs(schedule, topology, series.simulation, series.message_bytes),
            series.memory);
    std::vector<Job> jobs;
    for (const std::uint64_t bytes : series.message_bytes)
        jobs.emplace_back([&, bytes] {
            SimulationOptions options = series.simulation;
            options.message_bytes = bytes;
            return nlohmann::json(
                replay_in_this_process(schedule, topology, series.synchronization, options));
        });
    std::vector<ReplayResult> results;
    for (const nlohmann::json& result : run_jobs(jobs, workers))
        results.push_back(result.get<ReplayResult>());
    return results;
}

Comparison compare(const Schedule& schedule, const Topology& topology, std::span<const Routing> routings,
                   const ComparisonOptions& options)
{
    if (const auto violations = violations_of(schedule, topology, options.simulation.links);
        !violations.empty())
        throw std::invalid_argument(
            fmt::format("schedule '{}' is invalid: {}", schedule.name, violations.front().text));
    std::vector<SimulationOptions> simulations; // by size
    for (const std::uint64_t bytes : options.message_bytes)
        simulations.push_back(simulation_of(schedule, topology, options, bytes));
    const std::vector<std::uint64_t> bytes_of_sizes =
        bytes_of_runs(schedule, topology, simulations.back(), options.message_bytes);
    Comparison comparison;
    comparison.schedule = schedule.name;
    comparison.topology = topology.name();
    comparison.collective = std::string(to_string(schedule.collective.kind));
    comparison.steps = is_in_steps(schedule) ? std::optional(count_steps(schedule)) : std::nullopt;
    std::vector<Synchronization> modes{Synchronization::barrier};
    if (is_between_memories(schedule))
        comparison.chunks = schedule.collective.parts;
    else
        modes.push_back(Synchronization::self_timed);
    for (const SimulationOptions& simulation : simulations)
        comparison.vcs = std::max(comparison.vcs, simulation.hardware.vcs);
    comparison.message_bytes = options.message_bytes;

    std::vector<Job> jobs;
    for (const SimulationOptions& simulation : simulations)
        for (const Synchronization mode : modes)
            jobs.emplace_back([&, mode] {
                return nlohmann::json(replay_in_this_process(schedule, topology, mode, simulation));
            });
    const std::size_t first_baseline = jobs.size();
    for (const Routing& routing : routings)
        for (const UnscheduledTraffic& traffic : options.baselines)
            for (const SimulationOptions& simulation : simulations)
                jobs.emplace_back([&] {
                    const Workload workload =
                        unscheduled(topology, schedule.collective, simulation.ports, routing, traffic);
                    return nlohmann::json(simulate(topology, schedule.collective, workload, simulation).run);
                });

    std::vector<std::uint64_t> bytes_of_jobs; // traffic without a schedule takes about as much
    for (std::size_t job = 0; job < jobs.size(); ++job)
        bytes_of_jobs.push_back(job < first_baseline
                                    ? bytes_of_sizes[job / modes.size()]
                                    : bytes_of_sizes[(job - first_baseline) % bytes_of_sizes.size()]);
    WorkerOptions workers = options.workers;
    workers.workers = workers_that_fit(workers.workers, bytes_of_jobs, options.memory);
    const std::vector<nlohmann::json> results = run_jobs(jobs, workers);
    for (std::size_t i = 0; i < first_baseline; i += modes.size()) {
        comparison.replays.push_back(results[i].get<ReplayResult>());
        if (modes.size() == 1)
            continue;
        comparison.baselines.push_back(results[i + 1].get<ReplayResult>().run);
        comparison.baselines.back().traffic = self_timed_schedule;
    }
    for (std::size_t i = first_baseline; i < results.size(); ++i)
        comparison.baselines.push_back(results[i].get<RunResult>());
    if (!is_between_memories(schedule))
        comparison.fit = fit_timing(comparison.replays, options.simulation.hardware);
    return comparison;
}

RunResult record_baseline(const Schedule& schedule, const Topology& topology,
                          std::span<const Routing> routings, const ComparisonOptions& options,
                          const RunResult& baseline)
{
    SimulationOptions simulation = simulation_of(schedule, topology, options, baseline.message_bytes);
    simulation.record_occupancy = true;
    const Job job = [&]() -> nlohmann::json {
        if (baseline.traffic == self_timed_schedule)
            return replay_in_this_process(schedule, topology, Synchronization::self_timed, simulation).run;
        for (const Routing& routing : routings)
            for (const UnscheduledTraffic& traffic : options.baselines) {
                const Workload workload =
                    unscheduled(topology, schedule.collective, simulation.ports, routing, traffic);
                if (workload.traffic == baseline.traffic && workload.routing == baseline.routing)
                    return simulate(topology, schedule.collective, workload, simulation).run;
            }
        throw std::logic_error(fmt::format("no run '{}, {}'", baseline.traffic, baseline.routing));
    };
    return run_jobs(std::span(&job, 1), options.workers).front().get<RunResult>();
}

} // namespace nocturne
