#include "sim/experiment/compare.hpp"

#include "schedules/schedule/validator.hpp"
#include "sim/experiment/compile.hpp"
#include "sim/experiment/fit.hpp"
#include "sim/report/results_json.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace nocturne {

namespace {

/// The jobs would find it out too, but the one that does may be the last.
void refuse_too_large(const Schedule& schedule, const Topology& topology,
                      const std::vector<std::uint64_t>& message_bytes)
{
    const Workload workload = workload_of(schedule, topology, Synchronization::barrier);
    for (const std::uint64_t bytes : message_bytes)
        compile(workload, schedule.collective, bytes);
}

} // namespace

std::vector<ReplayResult> replay_sizes(const Schedule& schedule, const Topology& topology,
                                       const ReplaySeries& series)
{
    if (validate(schedule, topology).empty())
        refuse_too_large(schedule, topology, series.message_bytes);
    std::vector<Job> jobs;
    for (const std::uint64_t bytes : series.message_bytes)
        jobs.emplace_back([&, bytes] {
            SimulationOptions options = series.simulation;
            options.message_bytes = bytes;
            return nlohmann::json(replay(schedule, topology, series.synchronization, options));
        });
    std::vector<ReplayResult> results;
    for (const nlohmann::json& result : run_jobs(jobs, series.workers))
        results.push_back(result.get<ReplayResult>());
    return results;
}

Comparison compare(const Schedule& schedule, const Topology& topology, const Routing& routing,
                   const ComparisonOptions& options)
{
    if (const auto violations = validate(schedule, topology); !violations.empty())
        throw std::invalid_argument(
            fmt::format("schedule '{}' is invalid: {}", schedule.name, violations.front().text));
    refuse_too_large(schedule, topology, options.message_bytes);
    Comparison comparison;
    comparison.schedule = schedule.name;
    comparison.topology = topology.name();
    comparison.collective = to_string(schedule.collective.kind);
    comparison.steps = static_cast<std::uint32_t>(schedule.steps.size());
    comparison.message_bytes = options.message_bytes;

    SimulationOptions simulation{options.hardware, schedule.ports, 0, options.seed, false, {}, {}};
    std::vector<Job> jobs;
    for (const std::uint64_t bytes : options.message_bytes)
        for (const Synchronization mode : {Synchronization::barrier, Synchronization::self_timed})
            jobs.emplace_back([&, simulation, bytes, mode]() mutable {
                simulation.message_bytes = bytes;
                return nlohmann::json(replay(schedule, topology, mode, simulation));
            });
    const std::size_t first_baseline = jobs.size();
    for (const UnscheduledTraffic& traffic : options.baselines)
        for (const std::uint64_t bytes : options.message_bytes)
            jobs.emplace_back([&, simulation, traffic, bytes]() mutable {
                simulation.message_bytes = bytes;
                const Workload workload =
                    unscheduled(topology, schedule.collective, schedule.ports, routing, traffic);
                return nlohmann::json(simulate(topology, schedule.collective, workload, simulation).run);
            });

    const std::vector<nlohmann::json> results = run_jobs(jobs, options.workers);
    for (std::size_t i = 0; i < first_baseline; i += 2) {
        comparison.replays.push_back(results[i].get<ReplayResult>());
        comparison.baselines.push_back(results[i + 1].get<ReplayResult>().run);
        comparison.baselines.back().traffic = "schedule, self-timed";
    }
    for (std::size_t i = first_baseline; i < results.size(); ++i)
        comparison.baselines.push_back(results[i].get<RunResult>());
    comparison.fit = fit_timing(comparison.replays, options.hardware);
    return comparison;
}

} // namespace nocturne
