#include "testbenches/load_latency/collectives.hpp"

#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "models/traffic/message_sizes.hpp"
#include "schedules/portfolio/portfolio.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/report/columns.hpp"
#include "sim/report/plot.hpp"
#include "sim/simulation/simulate.hpp"
#include "sim/simulation/unscheduled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace nocturne::load_latency {

// How runs come back from worker processes.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CollectiveRun, topology, traffic, message_flits, background, steps,
                                   bound_steps, cycles, flit_rate, average_latency_cycles, is_deadlocked,
                                   is_right)

namespace {

/// A network with its schedule.
struct Scheduled {
    Problem problem;
    Schedule schedule;
    std::uint64_t bound_steps;
};

Scheduled schedule_for(const std::string& topology, std::uint64_t seed)
{
    const Topology network = make_topology(topology);
    Problem problem{network, alltoall({static_cast<std::uint32_t>(network.processor_count())}), all_port};
    PortfolioOptions options;
    options.seed = seed;
    PortfolioResult found = find_schedule(problem, options);
    if (!found.schedule)
        throw std::runtime_error(fmt::format("{}: no schedule was found", topology));
    return {std::move(problem), std::move(*found.schedule), found.bound.steps};
}

struct CandidatePath {
    std::string name;
    bool is_scheduled;
    std::function<Workload(const Scheduled&)> workload;
};

std::vector<CandidatePath> ways(std::uint64_t seed)
{
    const auto scheduled = [](Synchronization synchronization) {
        return [=](const Scheduled& each) {
            return workload_of(each.schedule, each.problem.topology, synchronization);
        };
    };
    const auto without = [=](SendOrder order) {
        return [=](const Scheduled& each) {
            const Topology& topology = each.problem.topology;
            return unscheduled(topology, each.problem.collective, all_port, make_routing(topology, "auto"),
                               {order, StartUp::once, seed});
        };
    };
    return {{"schedule", true, scheduled(Synchronization::barrier)},
            {"schedule, self-timed", true, scheduled(Synchronization::self_timed)},
            {"shifted", false, without(SendOrder::shifted)},
            {"random", false, without(SendOrder::random)}};
}

CollectiveRun run_one(const std::string& topology, const Scheduled& each, const CandidatePath& way,
                      std::uint32_t message_flits, double load, std::uint64_t seed)
{
    SimulationOptions options;
    options.hardware.cycle_ns = 1;
    options.hardware.t0_ns = 0;
    // Class for class as many as the schedule and the background need together, whether there is a background
    // or not.
    const Workload workload = way.workload(each);
    options.hardware.vcs = workload.vc_classes + make_routing(each.problem.topology, "auto").vc_classes;
    options.ports = all_port;
    options.message_bytes = std::uint64_t{message_flits} * options.hardware.flit_bytes;
    options.seed = seed;
    if (load > 0)
        options.background = BackgroundTraffic{.load = load, .seed = seed};
    const RunResult result = simulate(each.problem.topology, each.problem.collective, workload, options).run;
    const auto flits = static_cast<double>(result.messages_delivered * message_flits);
    return {topology,
            way.name,
            message_flits,
            load,
            way.is_scheduled ? each.schedule.steps.size() : 0,
            way.is_scheduled ? each.bound_steps : 0,
            result.time_ns,
            flits / result.time_ns / static_cast<double>(each.problem.topology.processor_count()),
            result.average_message_latency_cycles,
            result.stall && !result.stall->cycle.empty(),
            result.memory_ok && !result.stall};
}

} // namespace

std::vector<CollectiveRun> run_collectives(const CollectiveRuns& runs)
{
    std::map<std::string, Scheduled> scheduled;
    for (const std::string& topology : runs.topologies)
        scheduled.emplace(topology, schedule_for(topology, runs.seed));
    const std::vector<CandidatePath> all_ways = ways(runs.seed);
    std::vector<Job> jobs;
    for (const std::string& topology : runs.topologies)
        for (const std::uint32_t flits : runs.message_flits)
            for (const double load : runs.backgrounds)
                for (const CandidatePath& way : all_ways)
                    jobs.emplace_back([&, flits, load] {
                        return nlohmann::json(
                            run_one(topology, scheduled.at(topology), way, flits, load, runs.seed));
                    });
    WorkerOptions workers;
    workers.on_progress = runs.on_progress;
    std::vector<CollectiveRun> results;
    for (const nlohmann::json& result : run_jobs(jobs, workers))
        results.push_back(result.get<CollectiveRun>());
    return results;
}

Table collective_table(const std::vector<CollectiveRun>& runs)
{
    using Run = CollectiveRun;
    const auto if_any = [](auto member) {
        return [=](const Run& run) { return run.*member == 0 ? std::nullopt : std::optional(run.*member); };
    };
    const auto if_over = [](auto value_of) {
        return [=](const Run& run) {
            return run.is_deadlocked ? std::nullopt : std::optional(std::invoke(value_of, run));
        };
    };
    const auto over_schedule = [&](const Run& run) {
        const auto schedule = std::find_if(runs.begin(), runs.end(), [&](const Run& other) {
            return other.topology == run.topology && other.background == run.background &&
                   other.message_flits == run.message_flits && other.traffic == "schedule";
        });
        return run.cycles / schedule->cycles;
    };
    const auto end = [](const Run& run) {
        return run.is_deadlocked ? "deadlock" : run.is_right ? "memories right" : "MEMORIES WRONG";
    };
    return table_of("All-to-all scatter", runs,
                    {{"topology", "", &Run::topology},
                     {"message", "flits", &Run::message_flits},
                     {"background", "", &Run::background, 2},
                     {"traffic", "", &Run::traffic},
                     {"steps", "", if_any(&Run::steps)},
                     {"bound", "steps", if_any(&Run::bound_steps)},
                     {"time", "cycles", if_over(&Run::cycles), 0},
                     {"rate", "flits per processor and cycle", if_over(&Run::flit_rate), 3},
                     {"latency", "cycles", if_over(&Run::average_latency_cycles), 1},
                     {"over schedule", "", if_over(over_schedule), 2},
                     {"end", "", end}});
}

std::string collective_picture(const std::string& topology, const std::vector<CollectiveRun>& runs,
                               const std::vector<TrafficCurve>& curves)
{
    LinePlot plot;
    plot.title = fmt::format("{}: all-to-all scatter and uniform traffic", topology);
    plot.x = {"flits per processor and cycle, background included", Scale::linear, 0.0, std::nullopt};
    plot.y = {"latency of a message beyond its length (cycles)", Scale::log10, std::nullopt, std::nullopt};
    for (const TrafficCurve& curve : curves) {
        Curve line{fmt::format("{} traffic, {} routing", curve.pattern, curve.routing), {}, Stroke::measured};
        const double length = make_message_sizes(curve.packet_flits).mean_flits();
        for (const TrafficPoint& point : curve.points)
            if (curve.topology == topology && point.latency.average_packet_latency_cycles)
                line.points.emplace_back(point.load,
                                         *point.latency.average_packet_latency_cycles - (length - 1));
        line.ends_at = saturated_from(curve);
        if (!line.points.empty())
            plot.curves.push_back(std::move(line));
    }
    for (const CollectiveRun& run : runs) {
        if (run.topology != topology || run.is_deadlocked || run.traffic == "random") // much like shifted
            continue;
        const std::string label =
            run.background == 0 ? run.traffic : fmt::format("{}, beside {}", run.traffic, run.background);
        auto known = std::find_if(plot.curves.begin(), plot.curves.end(),
                                  [&](const Curve& curve) { return curve.label == label; });
        if (known == plot.curves.end())
            known = plot.curves.insert(known, Curve{label, {}, Stroke::measured});
        known->points.emplace_back(run.flit_rate + run.background,
                                   run.average_latency_cycles - (run.message_flits - 1.0));
    }
    return draw(plot);
}

} // namespace nocturne::load_latency
