#include "sim/cli/traffic_curves.hpp"

#include "models/network/allocation.hpp"
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/topology_files.hpp"
#include "models/traffic/application.hpp"
#include "models/traffic/message_sizes.hpp"
#include "models/traffic/noxim_table.hpp"
#include "sim/cli/channel_output.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/energy_output.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/loads.hpp"
#include "sim/cli/model_options.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/packet_options.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/traffic_faults.hpp"
#include "sim/report/progress.hpp"
#include "sim/report/report.hpp"
#include "sim/traffic/class_vcs.hpp"
#include "sim/traffic/runs_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

namespace nocturne::cli {

namespace {

/// What results call the traffic of classes.
void set_classes(CurveSpecification& curve, const OptionValues& given)
{
    if (!given.has("class"))
        return;
    refuse_given(given, {"load", "pattern", "packet-flits", "arrivals"}, "not with --class");
    std::vector<std::string> patterns, flits, arrivals;
    for (const std::string& text : given.texts("class")) {
        const ClassSpecification& each = curve.classes.emplace_back(parse_class(text));
        patterns.push_back(each.name + " " + each.pattern +
                           (each.senders == "*" ? "" : " from " + each.senders));
        flits.push_back(each.packet_flits);
        arrivals.push_back(each.arrivals);
        if (each.priority > 0 && parse_model(given.text("model")) != NetworkModel::flit)
            throw std::invalid_argument(
                fmt::format("--class {}: priority: only with --model flit", each.name));
        if (each.priority > 0 && parse_arbiter(given.text("arbiter")) != ArbiterKind::priority)
            throw std::invalid_argument(
                fmt::format("--class {}: priority: only with --arbiter priority", each.name));
    }
    check_classes(curve.classes);
    curve.pattern = fmt::format("{}", fmt::join(patterns, " + "));
    curve.packet_flits = fmt::format("{}", fmt::join(flits, " + "));
    curve.arrivals = fmt::format("{}", fmt::join(arrivals, " + "));
}

/// What `--class-vcs` says of some links.
void set_vcs_by_link(CurveSpecification& curve, const OptionValues& given)
{
    const std::vector<std::string> rows = given.texts("class-vcs");
    if (rows.empty())
        return;
    if (given.has("reroute-after"))
        throw std::invalid_argument(
            "--class-vcs: not with --reroute-after: detours would have no virtual channels on these links");
    try {
        Topology network = curve.network;
        curve.class_vcs = set_class_vcs(network, curve.classes, rows);
        curve.network = std::move(network);
    } catch (const std::invalid_argument& error) {
        throw std::invalid_argument(fmt::format("--class-vcs {}", error.what()));
    }
    curve.topology = curve.network->name();
}

/// What is printed of curves.
struct TrafficResult {
    std::vector<TrafficCurve> curves;
    std::vector<TrafficRuns> means;
    std::optional<EnergyResult> energy;
};

Fields<TrafficResult> fields_of(const TrafficResult*)
{
    return {"traffic",
            "Latency over load for synthetic traffic.",
            {{"curves", "", "One curve per combination of network, routing, pattern and seed.",
              &TrafficResult::curves, Shown::as_rows},
             {"means", "", "Means over several runs of each load.", &TrafficResult::means, Shown::in_files},
             {"energy", "", "Energy of the run, if asked for.",
              [](const TrafficResult& result) { return result.energy; }, Shown::in_files}}};
}

/// Of all classes together: what is printed has a table of its own for them.
Table without_classes(Table table)
{
    const auto column =
        std::ranges::find(table.columns, "traffic_class", &Column::key) - table.columns.begin();
    std::erase_if(table.rows, [&](const std::vector<Cell>& row) {
        return !std::holds_alternative<std::monostate>(row[static_cast<std::size_t>(column)]);
    });
    return table;
}

/// `seed`: what is to be said of it.
void print_saturation(const TrafficCurve& curve, const std::string& seed)
{
    const std::string what = fmt::format("{}, {}, {}{}", curve.topology, curve.routing, curve.pattern, seed);
    if (!curve.lowest_saturated_load)
        fmt::print("{}: not saturated up to load {}\n", what, *curve.highest_steady_load);
    else if (curve.highest_steady_load)
        fmt::print("{}: steady at load {:.4f}, saturated at {:.4f}\n", what, *curve.highest_steady_load,
                   *curve.lowest_saturated_load);
    else
        fmt::print("{}: saturated at load {:.4f}; no steady load was found\n", what,
                   *curve.lowest_saturated_load);
    if (!curve.scaled.empty())
        fmt::print("scaled: {}\n", curve.scaled);
}

EnergyRun energy_run(const CurveSpecification& specification, const TrafficPoint& point)
{
    return {specification.network, specification.ports, specification.hardware,
            activity_of(point.channels, point.time_cycles),
            fmt::format("{}, {}, load {}: energy without clock and leakage", specification.topology,
                        specification.pattern, point.load)};
}

/// The load at which the flows of the curve's pattern have their rates.
double rates_of(const CurveSpecification& curve)
{
    const std::string name = curve.pattern.substr(0, curve.pattern.find(':'));
    const std::string rest = curve.pattern.substr(std::min(curve.pattern.size(), name.size() + 1));
    if (name == "application")
        return load_of(curve.network, read_application(rest.substr(0, rest.find(','))),
                       curve.hardware.flit_bytes, curve.hardware.cycle_ns);
    if (name == "noxim")
        return read_noxim_table(curve.network, rest).packets_per_cycle *
               make_message_sizes(curve.packet_flits).mean_flits();
    throw std::invalid_argument("--load rates: only with --pattern application:FILE or noxim:FILE");
}

std::vector<double> loads_of(const OptionValues& given, const std::vector<CurveSpecification>& curves)
{
    if (const auto& classes = curves.front().classes; !classes.empty())
        return {std::accumulate(classes.begin(), classes.end(), 0.0,
                                [](double sum, const auto& each) { return sum + each.load; })};
    if (given.text("load") != rates_of_application)
        return parse_loads(given.text("load"));
    const double load = rates_of(curves.front());
    for (const CurveSpecification& curve : curves)
        if (rates_of(curve) != load)
            throw std::invalid_argument(
                "--load rates: curves with other loads beside each other; one application and one size of "
                "networks");
    return {load};
}

/// Of the largest packet to several destinations; 0 if there are none.
std::uint64_t most_multicast_flits(const CurveSpecification& curve)
{
    const auto flits = [](const std::string& pattern, const std::string& sizes) {
        return pattern.starts_with("multicast:") ? make_message_sizes(sizes).most_flits() : 0;
    };
    if (curve.classes.empty())
        return flits(curve.pattern, curve.packet_flits);
    std::uint64_t most = 0;
    for (const ClassSpecification& each : curve.classes)
        most = std::max<std::uint64_t>(most, flits(each.pattern, each.packet_flits));
    return most;
}

/// A fault that comes when all is over says nothing of faults.
void remark_late_fault(const OptionValues& given, const std::vector<TrafficCurve>& curves)
{
    for (const TrafficCurve& curve : curves)
        for (const TrafficPoint& point : curve.points)
            if (given.has("fault-cycle") && point.time_cycles < given.count("fault-cycle"))
                InputLog::remark(
                    fmt::format("{}: load {}: the last packet arrived in cycle {}, before the fault "
                                "in cycle {}",
                                curve.topology, point.load, point.time_cycles, given.count("fault-cycle")));
}

} // namespace

const ResultDescription& traffic_result()
{
    return description_of<TrafficResult>();
}

std::vector<CurveSpecification> curves_of(const OptionValues& given)
{
    for (const char* const option :
         {"topology", "routing", "pattern"}) { // runs of a curve twice are no sample
        std::set<std::string> seen;
        for (const std::string& text : given.texts(option))
            if (!seen.insert(text).second)
                throw std::invalid_argument(fmt::format("--{}: {} twice", option, text));
    }
    const std::uint64_t runs = given.count("runs");
    std::vector<CurveSpecification> curves;
    for (const std::string& topology : given.texts("topology")) {
        const SharedTopology network =
            network_with_faults(given, with_parts_of(given, topology_from(topology)));
        for (const std::string& routing : given.texts("routing", {"auto"}))
            for (const std::string& pattern : given.texts("pattern", {"uniform"})) {
                CurveSpecification curve{topology, network, routing, pattern};
                if (given.has("fault") || given.has("part"))
                    curve.topology = curve.network->name();
                curve.faults = faults_of(given);
                curve.arrivals = given.text("arrivals");
                curve.packet_flits = given.text("packet-flits");
                set_classes(curve, given);
                set_vcs_by_link(curve, given);
                curve.hardware = hardware_of(given);
                curve.hardware.selection = selection_of(given);
                if (most_multicast_flits(curve) > 0)
                    curve.hardware.multicast = multicast_of(given);
                curve.model = parse_model(given.text("model"));
                curve.as_many_vcs_as_needed = given.text("vcs") == "auto";
                curve.ports = parse_port_model(given.text("ports"));
                curve.queue_packets = given.count("queue-packets");
                for (std::uint64_t run = 0; run < runs; ++run) {
                    curve.seed = given.count("seed") + run;
                    curves.push_back(curve);
                }
            }
    }
    if (std::ranges::all_of(curves, [](const auto& curve) { return most_multicast_flits(curve) == 0; }))
        refuse_given(given, {"multicast"}, "no pattern here sends a packet to several destinations");
    refuse_trees(given, parse_model(given.text("model")));
    std::vector<std::reference_wrapper<const Topology>> networks;
    for (const CurveSpecification& curve : curves)
        networks.emplace_back(*curve.network);
    refuse_idle_hardware(given, parse_model(given.text("model")), networks);
    if (std::ranges::none_of(curves.front().classes, [](const auto& each) { return each.priority > 0; }))
        refuse_idle_priority(given, "a --class with a priority");
    return curves;
}

CurveOptions measurement_of(const OptionValues& given)
{
    CurveOptions options;
    options.plan.warm_up_cycles = given.count("warm-up");
    options.plan.window_cycles = given.count("window");
    options.plan.batches = given.small_count("batches");
    options.plan.saturated_batches = given.small_count("saturated-batches");
    options.plan.records_channels = wants_channels(given);
    options.plan.records_buffers = given.has("occupancy");
    options.plan.finds_warm_up = given.text("warm-up-rule") == "mser-5";
    options.plan.drain_cycles = given.count("drain");
    options.plan.validate();
    if (given.is_given("saturated-batches") && options.plan.saturated_batches > options.plan.batches)
        throw std::invalid_argument(fmt::format("--saturated-batches {}: the window has {} (--batches)",
                                                options.plan.saturated_batches, options.plan.batches));
    options.workers.workers = given.workers();
    options.memory.on_notice = print_notice;
    if (given.has("checkpoint"))
        options.checkpoint = given.text("checkpoint");
    return options;
}

int run_curves(const OptionValues& given)
{
    const std::optional<EnergyTable> energies = energy_table_of(given);
    if (given.is_on("saturation") && given.is_given("load"))
        throw std::invalid_argument("--saturation: not with --load: the search covers all loads");
    CurveOptions options = measurement_of(given);
    const std::vector<CurveSpecification> specifications = curves_of(given);
    const std::vector<double> loads = loads_of(given, specifications);
    const bool is_one_point = !given.is_on("saturation") && specifications.size() * loads.size() == 1;
    if ((wants_channels(given) || given.has("occupancy")) && !is_one_point)
        throw std::invalid_argument(
            "--channel-use, --heat, --occupancy and --energy: of one point, so one curve and one --load");
    check_occupancy(given, specifications.front().network);
    if (wants_packets(given) && !is_one_point)
        throw std::invalid_argument(
            "--packet-log, --flows and --histogram: of one point, so one curve and one --load");
    if (given.has("packet-log") && given.has("checkpoint"))
        throw std::invalid_argument("--packet-log: not with --checkpoint, which stores no packets");
    if (energies)
        check_energy(specifications.front().network, *energies);
    remark_arrivals(specifications, options.plan);
    std::map<std::string, std::uint64_t> across; // cycles
    options.on_prepared = [&across, remarks = RoutingRemarks()](const CurveSpecification& curve,
                                                                const Routing& routing,
                                                                const HardwareConfig& hardware) mutable {
        remarks.add(curve.network, routing);
        remark_hardware(curve.network, hardware);
        note_way(across, curve.network, hardware);
        if (routing.is_oblivious()) // or else the message level refuses it
            remark_short_messages(curve, hardware);
        remark_trees(curve.network, hardware, most_multicast_flits(curve));
        print_remarks();
    };
    int status = all_is_well;
    if (!given.has("packet-log")) // which is whole or nothing
        options.on_interrupt = [&](std::size_t done, std::size_t points, int exit_status) {
            status = exit_status;
            InputLog::remark(given.is_on("saturation")
                                 ? "interrupted: the search for saturation has not come to its end"
                                 : fmt::format("interrupted: {} of {} points are done", done, points));
        };
    std::vector<TrafficCurve> curves;
    {
        ProgressLine progress("traffic");
        options.workers.on_progress = [&](std::size_t done, std::size_t total) {
            progress.update(done, total);
        };
        with_packet_records(given, [&](const PacketRecords& records) {
            options.plan.records = records;
            const SaturationSearch search{0, std::nullopt, given.real("tolerance")};
            curves = given.is_on("saturation") ? find_saturation(specifications, search, options)
                                               : measure_curves(specifications, loads, options);
        });
    }
    remark_late_fault(given, curves);
    remark_windows(curves, options.plan, across);
    TrafficResult result{std::move(curves), {}, {}};
    const bool has_runs = given.count("runs") > 1;
    if (has_runs && !given.is_on("saturation"))
        result.means = runs_of(result.curves);
    std::vector<TrafficPoint>& points = result.curves.front().points;
    if (energies)
        result.energy = energy_result(*energies, energy_run(specifications.front(), points.front()));
    if (wants_packets(given))
        write_packet_tables(given, points.front().flows, points.front().histogram);
    // They may be large, and no table has them.
    std::vector<FlowLatency> flows = std::exchange(points.front().flows, {});
    const Table table = table_of("Traffic", result.curves);
    if (given.is_on("json"))
        points.front().flows = std::move(flows);
    write_table(given, "csv", table);
    write_table(given, "occupancy", table_of("Flits in buffers", points.front().buffers));
    print_result(result, given, [&] {
        print_text(std::cout, fold_constant_columns(without_classes(table)));
        print_routings_taken(result.curves);
        if (given.is_on("saturation"))
            for (const TrafficCurve& curve : result.curves)
                print_saturation(curve, has_runs ? fmt::format(", seed {}", curve.seed) : std::string());
        else if (has_runs)
            print_below(table_of("Means over runs", result.means));
        for (const TrafficCurve& curve : result.curves)
            for (const TrafficPoint& point : curve.points)
                if (point.stall)
                    print_below(stall_table(*point.stall));
        for (const TrafficCurve& curve : result.curves)
            if (curve.mapping_origin == "annealed")
                print_below(table_of(fmt::format("Mapping, {:.6g} MB/s times hops", *curve.mapping_cost),
                                     curve.mapping));
        for (const TrafficCurve& curve : result.curves)
            for (const TrafficPoint& point : curve.points) {
                const bool is_asked_for =
                    !given.is_on("saturation") || point.load == curve.highest_steady_load;
                if (!point.classes.empty() && is_asked_for)
                    print_below(table_of("Classes", point.classes));
                for (const ClassPoint& each : point.classes)
                    if (each.multicast && is_asked_for)
                        print_below(table_of(fmt::format("Multicasts of class {}", each.name),
                                             std::vector{*each.multicast}));
                if (point.multicast && is_asked_for)
                    print_below(table_of("Multicasts", std::vector{*point.multicast}));
                if (point.faults)
                    print_below(table_of("Cost of the faults", std::vector{*point.faults}));
                if (!point.warm_up_reason.empty())
                    fmt::print("load {}: {}\n", point.load, point.warm_up_reason);
            }
        if (given.is_on("channel-use"))
            print_below(channel_load_table(points.front().channels));
        if (result.energy)
            print_below(table_of("Energy", std::vector{*result.energy}));
    });
    std::cout.flush();
    if (energies)
        draw_energy(given, *result.energy, energy_run(specifications.front(), points.front()));
    const TrafficCurve& first = result.curves.front();
    draw_heat(given, points.front().channels, specifications.front().network->channel_count(),
              fmt::format("Use of channels, {}, {}, {}, load {}", first.topology, first.routing,
                          first.pattern, points.front().load),
              points.front().warm_up_cycles, points.front().warm_up_cycles + points.front().measured_cycles);
    if (given.has("svg"))
        write_file_atomically(given.text("svg"), draw(load_latency_plot(result.curves)));
    const bool has_stall = std::ranges::any_of(result.curves, [](const TrafficCurve& curve) {
        return std::ranges::any_of(curve.points,
                                   [](const TrafficPoint& point) { return point.stall.has_value(); });
    });
    return status == all_is_well && has_stall ? check_failed : status;
}

} // namespace nocturne::cli
