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

/// A point that is to be measured.
struct Task {
    const CurveSpecification* curve;
    double load;
};

Traffic traffic_of(const CurveSpecification& curve, double load)
{
    return {make_pattern(curve.network, curve.pattern, curve.seed),
            load,
            make_message_sizes(curve.packet_flits),
            make_arrivals(curve.arrivals),
            curve.seed,
            curve.queue_packets};
}

/// With as many virtual channels as the routing needs, if that is wished.
HardwareConfig hardware_for(const CurveSpecification& curve, const Routing& routing)
{
    HardwareConfig hardware = curve.hardware;
    if (curve.as_many_vcs_as_needed)
        hardware.vcs = std::max(hardware.vcs, routing.vc_classes);
    return hardware;
}

TrafficPoint measure(const Task& task, const CurveOptions& options)
{
    const CurveSpecification& curve = *task.curve;
    const Routing routing = make_routing(curve.network, curve.routing, curve.seed);
    return measure_traffic(curve.network, routing, {hardware_for(curve, routing), curve.ports},
                           traffic_of(curve, task.load), options.plan);
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
    const CurveSpecification& curve = *task.curve;
    const HardwareConfig& hardware = curve.hardware;
    const auto stages = [](const Pipeline& pipeline) {
        return fmt::format("{},{},{},{}", pipeline.route_computation, pipeline.vc_allocation,
                           pipeline.switch_allocation, pipeline.switch_traversal);
    };
    const MeasurementPlan& plan = options.plan;
    return fmt::format(
        "model {} network {:016x} routing {} pattern {} arrivals {} packet-flits {} load {} seed {} ports {} "
        "cycle-ns {} router {} crossbar {} link {} credit {} interface {} buffer {} vcs {}{} flit-bytes {} "
        "queue {} "
        "warm-up {} window {} batches {} drain {} saturated-batches {}{}",
        model_digest(), fnv1a(to_json(curve.network)), curve.routing, pattern_key(curve.pattern),
        curve.arrivals, curve.packet_flits, task.load, curve.seed, to_string(curve.ports), hardware.cycle_ns,
        stages(hardware.router), stages(hardware.crossbar), hardware.link_cycles, hardware.credit_cycles,
        hardware.interface_cycles, hardware.buffer_flits, hardware.vcs,
        curve.as_many_vcs_as_needed ? "+" : "", hardware.flit_bytes, curve.queue_packets, plan.warm_up_cycles,
        plan.window_cycles, plan.batches, plan.drain_cycles, plan.saturated_batches,
        plan.records_channels ? " channels" : "");
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

/// What would be found out in a worker, found out now: curves and loads that cannot be.
void check(std::span<const CurveSpecification> curves, std::span<const double> loads,
           const CurveOptions& options)
{
    options.plan.validate();
    for (const CurveSpecification& curve : curves) {
        const Routing routing = make_routing(curve.network, curve.routing, curve.seed);
        const HardwareConfig hardware = hardware_for(curve, routing);
        hardware.validate();
        if (hardware.vcs < routing.vc_classes)
            throw std::invalid_argument(fmt::format("{}: routing {} needs {} virtual channels, there are {}",
                                                    curve.topology, curve.routing, routing.vc_classes,
                                                    hardware.vcs));
        Traffic traffic = traffic_of(curve, 0);
        for (const double load : loads) {
            traffic.load = load;
            check_load(traffic, curve.network, curve.ports);
        }
    }
}

TrafficCurve without_points(const CurveSpecification& curve)
{
    TrafficCurve result;
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
    check(curves, loads, options);
    PointStore store(options.checkpoint);
    std::vector<Task> tasks;
    for (const CurveSpecification& curve : curves)
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
    std::vector<Bracket> brackets;
    std::vector<Task> tasks;
    for (const CurveSpecification& curve : curves) {
        const double to =
            search.to ? *search.to : highest_load(traffic_of(curve, 0), curve.network, curve.ports);
        if (!(search.from >= 0) || !(to > search.from))
            throw std::invalid_argument(
                fmt::format("{}: a search for saturation from load {} to {}: from 0 on, upwards",
                            curve.topology, search.from, to));
        const double ends[] = {search.from, to};
        check(std::span(&curve, 1), ends, options);
        brackets.push_back({without_points(curve), search.from, to});
        tasks.push_back({&curve, to});
    }
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
                tasks.push_back({&curves[i], bracket.steady + part * width});
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
