#include "sim/traffic/load_curves.hpp"

#include "models/routing/make_routing.hpp"
#include "models/topology/files.hpp"
#include "models/topology/json_format.hpp"
#include "schedules/problem/digest.hpp"
#include "sim/traffic/model_digest.hpp"
#include "sim/traffic/point_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace nocturne {

namespace {

/// A curve with its texts parsed and its routing built: once, whatever the number of its points. Worker
/// processes are forks, and have it too.
struct PreparedCurve {
    const CurveSpecification& specification;
    Routing routing;
    HardwareConfig hardware; ///< with as many virtual channels as the routing needs, if that is wished
    Traffic traffic;         ///< at load 0

    Traffic at(double load) const
    {
        Traffic result = traffic;
        result.load = load;
        return result;
    }
};

/// A point that is to be measured.
struct Task {
    const PreparedCurve* curve;
    double load;
};

/// What would be found out in a worker is found out now: curves that cannot be measured.
PreparedCurve prepare(const CurveSpecification& curve)
{
    PreparedCurve prepared{
        curve,
        make_routing(curve.network, curve.routing, curve.seed, curve.hardware.path_cost_on(curve.network)),
        curve.hardware,
        {make_pattern(curve.network, curve.pattern, curve.seed), 0, make_message_sizes(curve.packet_flits),
         make_arrivals(curve.arrivals), curve.seed, curve.queue_packets}};
    if (curve.as_many_vcs_as_needed)
        prepared.hardware.vcs = std::max(prepared.hardware.vcs, prepared.routing.vc_classes.count());
    prepared.hardware.validate();
    if (prepared.hardware.vcs < prepared.routing.vc_classes)
        throw std::invalid_argument(fmt::format("{}: routing {} needs {} virtual channels, there are {}",
                                                curve.topology, curve.routing,
                                                prepared.routing.vc_classes.count(), prepared.hardware.vcs));
    return prepared;
}

void announce(std::span<const PreparedCurve> curves, const CurveOptions& options)
{
    if (options.on_prepared)
        for (const PreparedCurve& curve : curves)
            options.on_prepared(curve.specification, curve.routing, curve.hardware);
}

/// Likewise loads.
void check(const PreparedCurve& curve, std::span<const double> loads)
{
    for (const double load : loads)
        check_load(curve.at(load), curve.specification.network, curve.specification.ports);
}

TrafficPoint measure(const Task& task, const CurveOptions& options)
{
    const PreparedCurve& curve = *task.curve;
    return measure_traffic(curve.specification.network, curve.routing,
                           {curve.hardware, curve.specification.ports, curve.specification.model},
                           curve.at(task.load), options.plan);
}

/// The pattern; of one in a file what is in it too.
std::string pattern_key(const std::string& pattern)
{
    for (const std::string_view kind : {"permutation:", "matrix:"})
        if (pattern.starts_with(kind))
            return fmt::format("{} {:016x}", pattern, fnv1a(read_file(pattern.substr(kind.size()))));
    return pattern;
}

/// All that a point depends on, in one text.
std::string key_of(const Task& task, const CurveOptions& options)
{
    const CurveSpecification& curve = task.curve->specification;
    const HardwareConfig& hardware = curve.hardware;
    const auto stages = [](const Pipeline& pipeline) {
        return fmt::format("{},{},{},{}{}", pipeline.route_computation, pipeline.vc_allocation,
                           pipeline.switch_allocation, pipeline.switch_traversal,
                           pipeline.speculation == Speculation::none ? "" : ",speculative");
    };
    const Allocation& allocation = hardware.allocation;
    const std::string allocators =
        fmt::format("switch {}*{} vc {} arbiter {} speed-up {}", to_string(allocation.switch_allocator),
                    allocation.iterations, to_string(allocation.vc_allocator), to_string(allocation.arbiter),
                    allocation.input_speedup);
    const MeasurementPlan& plan = options.plan;
    return fmt::format(
        "model {} level {} network {:016x} routing {} pattern {} arrivals {} packet-flits {} load {} seed {} "
        "ports {} "
        "cycle-ns {} router {} crossbar {} link {} credit {} interface {} buffer {} vcs {}{} {} flit-bytes "
        "{} "
        "queue {} "
        "warm-up {} window {} batches {} drain {} saturated-batches {}{}",
        model_digest(), to_string(curve.model), fnv1a(to_json(curve.network)), curve.routing,
        pattern_key(curve.pattern), curve.arrivals, curve.packet_flits, task.load, curve.seed,
        to_string(curve.ports), hardware.cycle_ns, stages(hardware.router), stages(hardware.crossbar),
        hardware.link_cycles, hardware.credit_cycles, hardware.interface_cycles, hardware.buffer_flits,
        hardware.vcs, curve.as_many_vcs_as_needed ? "+" : "", allocators, hardware.flit_bytes,
        curve.queue_packets, plan.warm_up_cycles, plan.window_cycles, plan.batches, plan.drain_cycles,
        plan.saturated_batches, plan.records_channels ? " channels" : "");
}

/// Points in the order of the tasks; those that the store has are not measured again.
std::vector<TrafficPoint> measure_all(std::span<const Task> tasks, PointStore& store,
                                      const CurveOptions& options)
{
    std::vector<TrafficPoint> points(tasks.size());
    std::vector<std::size_t> missing;
    std::vector<std::string> keys;
    std::vector<Job> jobs;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        std::string key = key_of(tasks[i], options);
        if (const auto known = store.find(key)) {
            points[i] = *known;
            continue;
        }
        missing.push_back(i);
        keys.push_back(std::move(key));
        jobs.emplace_back([&, i] { return nlohmann::json(measure(tasks[i], options)); });
    }
    WorkerOptions workers = options.workers;
    workers.settles = [&](std::size_t job, const nlohmann::json& result) {
        store.add(keys[job], result.get<TrafficPoint>());
        return false;
    };
    const std::vector<nlohmann::json> results = run_jobs(jobs, workers);
    for (std::size_t job = 0; job < jobs.size(); ++job)
        points[missing[job]] = results[job].get<TrafficPoint>();
    return points;
}

TrafficCurve without_points(const CurveSpecification& curve)
{
    TrafficCurve result;
    result.model = to_string(curve.model);
    result.topology = curve.topology;
    result.routing = curve.routing;
    result.pattern = curve.pattern;
    result.arrivals = curve.arrivals;
    result.packet_flits = curve.packet_flits;
    result.seed = curve.seed;
    return result;
}

/// A curve whose saturation is being searched for.
struct Bracket {
    TrafficCurve curve;
    double steady;
    double saturated;                  ///< or as high as the search goes
    bool is_known_to_saturate = false; ///< `saturated` has been measured

    void take(TrafficPoint point)
    {
        if (point.saturated && point.load <= saturated) {
            saturated = point.load;
            is_known_to_saturate = true;
        }
        curve.points.push_back(std::move(point));
    }

    /// After a round: the highest steady load below the lowest saturated one.
    void close()
    {
        for (const TrafficPoint& point : curve.points)
            if (!point.saturated && point.load < saturated)
                steady = std::max(steady, point.load);
        std::sort(curve.points.begin(), curve.points.end(),
                  [](const TrafficPoint& a, const TrafficPoint& b) { return a.load < b.load; });
    }
};

} // namespace

std::vector<TrafficCurve> measure_curves(std::span<const CurveSpecification> curves,
                                         std::span<const double> loads, const CurveOptions& options)
{
    options.plan.validate();
    std::vector<PreparedCurve> prepared;
    for (const CurveSpecification& curve : curves)
        check(prepared.emplace_back(prepare(curve)), loads);
    announce(prepared, options);
    PointStore store(options.checkpoint);
    std::vector<Task> tasks;
    for (const PreparedCurve& curve : prepared)
        for (const double load : loads)
            tasks.push_back({&curve, load});
    const std::vector<TrafficPoint> points = measure_all(tasks, store, options);
    std::vector<TrafficCurve> result;
    auto next = points.begin();
    for (const CurveSpecification& curve : curves) {
        result.push_back(without_points(curve));
        result.back().points.assign(next, next + static_cast<std::ptrdiff_t>(loads.size()));
        next += static_cast<std::ptrdiff_t>(loads.size());
    }
    return result;
}

std::vector<TrafficCurve> find_saturation(std::span<const CurveSpecification> curves,
                                          const SaturationSearch& search, const CurveOptions& options)
{
    if (!(search.tolerance >= SaturationSearch::least_tolerance) || !std::isfinite(search.tolerance))
        throw std::invalid_argument(
            fmt::format("a search for saturation with tolerance {}: a load of {} or more", search.tolerance,
                        SaturationSearch::least_tolerance));
    options.plan.validate();
    std::vector<PreparedCurve> prepared;
    std::vector<Bracket> brackets;
    for (const CurveSpecification& curve : curves) {
        prepared.push_back(prepare(curve));
        const double to =
            search.to ? *search.to : highest_load(prepared.back().traffic, curve.network, curve.ports);
        if (!(search.from >= 0) || !(to > search.from))
            throw std::invalid_argument(
                fmt::format("{}: a search for saturation from load {} to {}: from 0 on, upwards",
                            curve.topology, search.from, to));
        const double ends[] = {search.from, to};
        check(prepared.back(), ends);
        brackets.push_back({without_points(curve), search.from, to});
    }
    announce(prepared, options);
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < brackets.size(); ++i)
        tasks.push_back({&prepared[i], brackets[i].saturated});
    PointStore store(options.checkpoint);
    std::vector<std::size_t> owners(curves.size()); ///< by task: its bracket
    for (std::size_t i = 0; i < owners.size(); ++i)
        owners[i] = i;
    while (!tasks.empty()) {
        std::vector<TrafficPoint> points = measure_all(tasks, store, options);
        for (std::size_t i = 0; i < tasks.size(); ++i)
            brackets[owners[i]].take(std::move(points[i]));
        tasks.clear();
        owners.clear();
        for (std::size_t i = 0; i < brackets.size(); ++i) {
            Bracket& bracket = brackets[i];
            bracket.close();
            const double width = bracket.saturated - bracket.steady;
            if (!bracket.is_known_to_saturate || width <= search.tolerance)
                continue;
            for (const double part : {1.0 / 3, 2.0 / 3}) {
                tasks.push_back({&prepared[i], bracket.steady + part * width});
                owners.push_back(i);
            }
        }
    }
    std::vector<TrafficCurve> result;
    for (Bracket& bracket : brackets) {
        const auto& points = bracket.curve.points;
        if (std::any_of(points.begin(), points.end(),
                        [](const TrafficPoint& point) { return !point.saturated; }))
            bracket.curve.highest_steady_load =
                bracket.is_known_to_saturate ? bracket.steady : bracket.saturated;
        if (bracket.is_known_to_saturate)
            bracket.curve.lowest_saturated_load = bracket.saturated;
        result.push_back(std::move(bracket.curve));
    }
    return result;
}

} // namespace nocturne
