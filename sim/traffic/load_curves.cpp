#include "sim/traffic/load_curves.hpp"

#include "models/hardware/network_plan.hpp"
#include "sim/simulation/model_parts.hpp"
#include "sim/traffic/packed_flows.hpp"
#include "sim/traffic/point_store.hpp"
#include "sim/traffic/prepared_curve.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace nocturne {

namespace {

/// A point that is to be measured.
struct Task {
    const PreparedCurve* curve;
    double load;
};

/// Throws for loads that it cannot have.
void check(const PreparedCurve& curve, std::span<const double> loads)
{
    for (const double load : loads)
        for (const PreparedClasses::Each& each : curve.traffic->at(load).classes)
            check_load(each.traffic, curve.specification.network, curve.specification.ports);
}

/// Throws if classes say how many virtual channels they have, and a link has another number of them: it would
/// be shared out as nobody says. What detours take comes on top.
void require_vcs_of_classes(const PreparedCurve& curve)
{
    const CurveSpecification& of = curve.specification;
    unsigned everywhere = 0;
    for (const ClassSpecification& each : of.classes)
        everywhere += each.vcs;
    if (everywhere == 0)
        return;
    const bool has_reroutes = curve.faults.any() && curve.faults.reroute_after;
    for (ChannelId id = 0; id < of.network->channel_count(); ++id) {
        const bool is_own = id < of.class_vcs.size() && !of.class_vcs[id].empty();
        const unsigned said =
            is_own ? std::accumulate(of.class_vcs[id].begin(), of.class_vcs[id].end(), 0u) : everywhere;
        const unsigned there = curve.hardware.vcs_of(of.network, of.network->channel(id));
        if (there != said && !(has_reroutes && there > said))
            throw std::invalid_argument(
                fmt::format("{}: {} has {} virtual channels, and its classes of traffic have {} together",
                            of.topology, describe_channel(of.network, id), there, said));
    }
}

/// Looks at a curve while it has its traffic.
using LookAt = std::function<void(const PreparedCurve& curve)>;

/// What would be found out in a worker is found out now: curves that cannot be measured. Of curves that share
/// network, routing and hardware the first has its traffic: memory does not follow the number of seeds.
std::vector<PreparedCurve> prepare(std::span<const CurveSpecification> curves, const LookAt& look)
{
    std::vector<PreparedCurve> prepared;
    std::vector<std::size_t> firsts;
    unsigned needed = 1;
    prepared.reserve(curves.size());
    for (const CurveSpecification& curve : curves) {
        const auto first =
            std::ranges::find_if(firsts, [&](std::size_t i) { return have_one_network(curves[i], curve); });
        const bool is_first = first == firsts.end();
        prepared.push_back(prepare_curve(curve, is_first ? nullptr : &prepared[*first]));
        look(prepared.back());
        if (curve.as_many_vcs_as_needed)
            needed = std::max({needed, curve.hardware.vcs, prepared.back().vcs_needed});
        if (is_first)
            firsts.push_back(prepared.size() - 1);
        else
            prepared.back().traffic = nullptr;
    }
    for (PreparedCurve& curve : prepared) {
        const CurveSpecification& specification = curve.specification;
        if (specification.as_many_vcs_as_needed)
            curve.hardware.vcs = needed;
        curve.hardware.validate();
        if (curve.traffic)
            check_selection(specification.network, curve.traffic->routing(), curve.hardware);
        if (const unsigned own = curve.vcs_needed;
            curve.hardware.vcs < own && own_property(specification.network, {"vcs"}).empty())
            throw std::invalid_argument(
                fmt::format("{}: routing {} needs {} virtual channels{}, there are {}",
                            specification.topology, specification.routing, own,
                            !specification.classes.empty() ? " for all classes of traffic"
                            : curve.faults.any()           ? " with those of detours"
                                                           : "",
                            curve.hardware.vcs));
        require_parts(specification.model, specification.network, curve.hardware);
        require_vcs_of_classes(curve);
        if (curve.traffic)
            require_vcs(specification.network, curve.hardware, curve.vc_classes());
    }
    return prepared;
}

void announce(std::span<const PreparedCurve> curves, const CurveOptions& options)
{
    if (options.on_prepared)
        for (const PreparedCurve& curve : curves)
            if (curve.traffic)
                options.on_prepared(curve.specification, curve.traffic->routing(), curve.hardware);
}

TrafficPoint measure(const Task& task, const CurveOptions& options)
{
    const PreparedCurve& curve = *task.curve;
    const CurveSpecification& specification = curve.specification;
    const MeasuredNetwork network{curve.hardware, specification.ports, specification.model, curve.faults};
    const PreparedClasses classes = traffic_of(curve)->at(task.load);
    TrafficPoint point =
        measure_classes(specification.network, classes.traffic(), classes.vc_classes, network, options.plan);
    point.load = task.load; // or else rounded
    return point;
}

/// What a search scales that has not one load; empty if it has.
std::string scaled_by_search(const PreparedCurve& curve)
{
    if (curve.specification.classes.empty())
        return {};
    std::vector<std::string> loads;
    for (const PreparedClasses::Each& each : curve.traffic->classes)
        loads.push_back(fmt::format("{} {}", each.specification.name, each.traffic.load));
    return fmt::format("the loads of all classes by one factor, 1 for {}, {:.6g} together",
                       fmt::join(loads, " + "), curve.traffic->load());
}

/// What one point of each curve takes, bytes, `points` times.
std::vector<std::uint64_t> bytes_of_points(const std::vector<PreparedCurve>& curves, std::size_t points)
{
    std::vector<std::uint64_t> bytes;
    const PreparedCurve* first = nullptr; // with traffic
    for (const PreparedCurve& curve : curves) {
        const CurveSpecification& of = curve.specification;
        if (curve.traffic)
            first = &curve;
        else if (!have_one_network(first->specification, of))
            first = &*std::ranges::find_if(curves, [&](const PreparedCurve& other) {
                return other.traffic && have_one_network(other.specification, of);
            });
        bytes.insert(
            bytes.end(), points,
            network_bytes(of.model, of.network, curve.hardware, of.ports, first->traffic->routing()));
    }
    return bytes;
}

/// As many workers as the memory suffices for.
CurveOptions fitted(CurveOptions options, const std::vector<PreparedCurve>& curves, std::size_t points)
{
    options.workers.workers =
        workers_that_fit(options.workers.workers, bytes_of_points(curves, points), options.memory);
    return options;
}

/// Points in the order of the tasks; those that the store has are not measured again. After an interruption
/// (CurveOptions::on_interrupt) some are missing.
std::vector<std::optional<TrafficPoint>> measure_all(std::span<const Task> tasks, PointStore& store,
                                                     const CurveOptions& options)
{
    std::vector<std::optional<TrafficPoint>> points(tasks.size());
    std::vector<std::size_t> missing;
    std::vector<std::string> keys;
    std::vector<Job> jobs;
    const bool has_store = !options.checkpoint.empty();
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        std::string key =
            has_store ? stored_point_key(*tasks[i].curve, tasks[i].load, options.plan) : std::string();
        if (const auto known = has_store ? store.find(key) : std::nullopt) {
            points[i] = known;
            continue;
        }
        missing.push_back(i);
        keys.push_back(std::move(key));
        jobs.emplace_back([&, i] { return for_parent(measure(tasks[i], options)); });
    }
    WorkerOptions workers = options.workers;
    workers.settles = [&](std::size_t job, const nlohmann::json& result) {
        points[missing[job]] = from_worker<TrafficPoint>(result);
        if (has_store)
            store.add(keys[job], *points[missing[job]]);
        return false;
    };
    try {
        run_jobs(jobs, workers);
    } catch (const Interrupted& interrupted) {
        const auto done = static_cast<std::size_t>(
            std::ranges::count_if(points, [](const auto& point) { return point.has_value(); }));
        if (done == 0 || !options.on_interrupt)
            throw;
        options.on_interrupt(done, points.size(), interrupted.exit_status());
    }
    return points;
}

TrafficCurve without_points(const PreparedCurve& prepared)
{
    const CurveSpecification& curve = prepared.specification;
    TrafficCurve result;
    result.model = to_string(curve.model);
    result.topology = curve.topology;
    result.routing = curve.routing;
    result.routing_taken = prepared.routing_taken;
    result.selection = prepared.selection;
    result.pattern = curve.pattern;
    result.arrivals = curve.arrivals;
    result.packet_flits = curve.packet_flits;
    result.vcs = prepared.hardware.vcs;
    result.seed = curve.seed;
    if (const std::optional<MappedApplication>& mapped = prepared.application) {
        for (std::size_t core = 0; core < mapped->mapping.size(); ++core)
            result.mapping.push_back(
                {mapped->application.cores[core], curve.network->processor(mapped->mapping[core]).name});
        result.mapping_cost = mapping_cost(mapped->application, curve.network, mapped->mapping);
        result.mapping_origin = mapped->mapping_file.empty() ? "annealed" : mapped->mapping_file;
    }
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

    bool is_open(double tolerance) const { return is_known_to_saturate && saturated - steady > tolerance; }

    /// Runs that a bracket of that width still takes: two a round, each of which leaves a third of it.
    static std::size_t runs_to_come(double width, double tolerance)
    {
        std::size_t runs = 0;
        for (; width > tolerance; width /= 3)
            runs += 2;
        return runs;
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
    const std::vector<PreparedCurve> prepared =
        prepare(curves, [&](const PreparedCurve& curve) { check(curve, loads); });
    PointStore store(options.checkpoint);
    const CurveOptions with_workers = fitted(options, prepared, loads.size());
    announce(prepared, options);
    std::vector<Task> tasks;
    for (const PreparedCurve& curve : prepared)
        for (const double load : loads)
            tasks.push_back({&curve, load});
    std::vector<std::optional<TrafficPoint>> points = measure_all(tasks, store, with_workers);
    std::vector<TrafficCurve> result;
    auto next = points.begin();
    for (const PreparedCurve& curve : prepared) {
        result.push_back(without_points(curve));
        for (std::size_t i = 0; i < loads.size(); ++i, ++next)
            if (*next)
                result.back().points.push_back(std::move(**next));
        if (result.back().points.empty())
            result.pop_back(); // interrupted before
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
    std::vector<double> upper_ends; // by curve
    std::vector<std::string> scaled;
    const std::vector<PreparedCurve> prepared = prepare(curves, [&](const PreparedCurve& curve) {
        const CurveSpecification& of = curve.specification;
        const double to = search.to ? *search.to : curve.traffic->highest_load(of.network, of.ports);
        if (!(search.from >= 0) || !(to > search.from))
            throw std::invalid_argument(
                fmt::format("{}: a search for saturation from load {} to {}: from 0 on, upwards", of.topology,
                            search.from, to));
        const double ends[] = {search.from, to};
        check(curve, ends);
        upper_ends.push_back(to);
        scaled.push_back(scaled_by_search(curve));
    });
    std::vector<Bracket> brackets;
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        brackets.push_back({without_points(prepared[i]), search.from, upper_ends[i]});
        brackets.back().curve.scaled = scaled[i];
    }
    PointStore store(options.checkpoint);
    CurveOptions with_workers = fitted(options, prepared, 2);
    announce(prepared, options);
    std::vector<Task> tasks;
    for (std::size_t i = 0; i < brackets.size(); ++i)
        tasks.push_back({&prepared[i], brackets[i].saturated});
    std::size_t runs_done = 0;
    std::vector<std::size_t> owners(curves.size()); ///< by task: its bracket
    for (std::size_t i = 0; i < owners.size(); ++i)
        owners[i] = i;
    while (!tasks.empty()) {
        // All rounds count towards one whole, those to come as if each left a third of its bracket.
        std::size_t runs_to_come = 0;
        const bool is_first = runs_done == 0; // of the upper ends
        for (const Bracket& bracket : brackets)
            if (is_first || bracket.is_open(search.tolerance))
                runs_to_come += Bracket::runs_to_come(
                    (bracket.saturated - bracket.steady) / (is_first ? 1 : 3), search.tolerance);
        if (options.workers.on_progress)
            with_workers.workers.on_progress = [&, runs_to_come](std::size_t done, std::size_t of_round) {
                options.workers.on_progress(runs_done + tasks.size() - of_round + done,
                                            runs_done + tasks.size() + runs_to_come);
            };
        std::vector<std::optional<TrafficPoint>> points = measure_all(tasks, store, with_workers);
        runs_done += tasks.size();
        bool is_interrupted = false;
        for (std::size_t i = 0; i < tasks.size(); ++i)
            if (points[i])
                brackets[owners[i]].take(std::move(*points[i]));
            else
                is_interrupted = true;
        tasks.clear();
        owners.clear();
        for (std::size_t i = 0; i < brackets.size(); ++i) {
            Bracket& bracket = brackets[i];
            bracket.close();
            const double width = bracket.saturated - bracket.steady;
            if (is_interrupted || !bracket.is_open(search.tolerance))
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
        if (points.empty())
            continue; // interrupted before
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
