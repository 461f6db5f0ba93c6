#include "models/hardware/network_plan.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/files.hpp"
#include "models/topology/topology_files.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/energy_output.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/loads.hpp"
#include "sim/cli/model_options.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/cli/traffic_closed_loop.hpp"
#include "sim/report/progress.hpp"
#include "sim/report/report.hpp"
#include "sim/traffic/load_curves.hpp"
#include "sim/traffic/runs_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <iostream>
#include <stdexcept>

namespace nocturne::cli {

namespace {

const char* const traffic_description =
    "Synthetic traffic on a simulated network: latency of packets "
    "and accepted load, at one load, over a\n"
    "range of loads, or up to saturation. Topologies, patterns and routings can "
    "be given several times: a curve for each\n"
    "combination. Or replays the messages of a trace.\n";

constexpr std::uint64_t most_runs = 10'000;

OptionTable traffic_options()
{
    const MeasurementPlan plan;
    static const std::string pattern_help =
        fmt::format("where messages go: {}", fmt::join(pattern_names(), ", "));
    OptionTable options = option_table(
        "Traffic",
        {{"topology", names_value("SPEC"), "specification or file; the argument without a name"},
         {"pattern", names_value("PATTERN"), pattern_help},
         {"load", text_value("LOADS", "0.1").parsed_by(parse_loads),
          "offered flits per processor and cycle: 0.1, a list 0.1,0.2, or a range FIRST:STEP:LAST"},
         {"packet-flits", text_value("SIZES", "8").parsed_by(make_message_sizes),
          "flits of a packet: 8, or sizes with weights 2:0.7,16:0.3"},
         {"arrivals", text_value("A", "bernoulli").parsed_by(make_arrivals),
          "bernoulli, bursty[:BURST_CYCLES[,PEAK]] or periodic"},
         {"routing", names_value("NAME"), ("auto, unless said: " + routing_help())},
         {"ports", text_value("P", "1").parsed_by(parse_port_model),
          "packets that a processor sends, and receives, at once: 1, a number, all"},
         {"saturation", switch_value(), "search the load at which each curve saturates"},
         {"runs", count_value(1, {1, most_runs}),
          "runs of each point, with seeds from --seed on: a curve for each, and their means"},
         {"tolerance",
          real_value("X", 0.005, {SaturationSearch::least_tolerance, 1}),
          "how close the search comes",
          {"saturation"}},
         {"trace", name_value("FILE"), "replay a trace: CSV of cycle,source,destination,bytes,after"}});
    OptionTable measurement = option_table(
        "Measurement",
        {{"warm-up", count_value(plan.warm_up_cycles, {0, MeasurementPlan::most_cycles}),
          "cycles before the window, of which nothing counts"},
         {"window", count_value(plan.window_cycles, {2, MeasurementPlan::most_cycles}),
          "cycles in which packets are created that are measured"},
         {"batches", count_value(plan.batches, {2, 1'000'000}),
          "parts of the window, for confidence intervals"},
         {"saturated-batches", count_value(plan.saturated_batches, {0, 1'000'000}),
          "batches after which a saturated point may end; 0: it takes the whole window"},
         {"drain", count_value(plan.drain_cycles, {0, MeasurementPlan::most_cycles}),
          "cycles that measured packets may take after the window"},
         {"queue-packets", count_value(2000, {1, 1'000'000'000}), "packets that a source queue holds"},
         {"csv", written_value("FILE"), "write the table"},
         {"channel-use", switch_value(), "print the use of each channel: of one point"},
         {"heat", written_value("FILE"), "draw the use of channels over time: of one point"},
         {"svg", written_value("FILE"), "draw latency over load"},
         {"checkpoint", written_value("FILE"),
          "keep points that are done in this file, and do not repeat them"}});
    return options.add(measurement);
}

Usage traffic_usage()
{
    return {
        .command = "traffic",
        .summary = "latency over load for synthetic traffic, saturation, traces",
        .positional = "topology",
        .description = traffic_description,
        .examples = {
            "nocturne traffic mesh:4x4 --load 0.1 --packet-flits 8",
            "nocturne traffic mesh:4x4 --pattern transpose --pattern tornado --load 0.1,0.2 --svg curves.svg "
            "--csv curves.csv",
            "nocturne traffic ring:4 --saturation --tolerance 0.1"}};
}

/// A curve for each combination and, side by side, each seed.
std::vector<CurveSpecification> curves_of(const OptionValues& given)
{
    const std::uint64_t runs = given.count("runs");
    std::vector<CurveSpecification> curves;
    for (const std::string& topology : given.texts("topology"))
        for (const std::string& routing : given.texts("routing", {"auto"}))
            for (const std::string& pattern : given.texts("pattern", {"uniform"})) {
                CurveSpecification curve{topology, topology_from(topology), routing, pattern};
                curve.arrivals = given.text("arrivals");
                curve.packet_flits = given.text("packet-flits");
                curve.hardware = hardware_of(given);
                curve.hardware.selection = selection_of(given);
                curve.model = parse_model(given.text("model"));
                curve.as_many_vcs_as_needed = given.text("vcs") == "auto";
                curve.ports = parse_port_model(given.text("ports"));
                curve.queue_packets = given.count("queue-packets");
                for (std::uint64_t run = 0; run < runs; ++run) {
                    curve.seed = given.count("seed") + run;
                    curves.push_back(curve);
                }
            }
    return curves;
}

bool wants_channels(const OptionValues& given)
{
    return given.is_on("channel-use") || given.has("heat") || given.has("energy");
}

CurveOptions measurement_of(const OptionValues& given)
{
    CurveOptions options;
    options.plan.warm_up_cycles = given.count("warm-up");
    options.plan.window_cycles = given.count("window");
    options.plan.batches = given.small_count("batches");
    options.plan.saturated_batches = given.small_count("saturated-batches");
    options.plan.records_channels = wants_channels(given);
    options.plan.drain_cycles = given.count("drain");
    options.plan.validate();
    options.workers.workers = given.workers();
    options.memory.on_notice = print_notice;
    if (given.has("checkpoint"))
        options.checkpoint = given.text("checkpoint");
    return options;
}

/// What is printed of curves.
struct TrafficResult {
    std::vector<TrafficCurve> curves;
    std::optional<EnergyResult> energy;
};

Fields<TrafficResult> fields_of(const TrafficResult*)
{
    return {"traffic",
            "Latency over load for synthetic traffic.",
            {{"curves", "", "One for each combination of networks, routings, patterns and seeds.",
              &TrafficResult::curves, Shown::as_rows},
             {"energy", "", "Of the one load, if that was asked for.",
              [](const TrafficResult& result) { return result.energy; }, Shown::in_files}}};
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
}

/// The channels between routers only: what processors inject is known.
void draw_heat(const OptionValues& given, const TrafficCurve& curve)
{
    TrafficPoint point = curve.points.front();
    point.channels.resize(topology_from(curve.topology).channel_count());
    const std::string title = fmt::format("Use of channels, {}, {}, {}, load {}", curve.topology,
                                          curve.routing, curve.pattern, point.load);
    write_file_atomically(given.text("heat"), channel_heat_picture(point, title, given.count("warm-up")));
}

EnergyRun energy_run(const CurveSpecification& specification, const TrafficPoint& point)
{
    EnergyRun run{specification.network,
                  specification.ports,
                  specification.hardware,
                  {{}, point.time_cycles},
                  fmt::format("{}, {}, load {}: energy without clock and leakage", specification.topology,
                              specification.pattern, point.load)};
    for (const ChannelLoad& load : point.channels)
        run.activity.links.push_back({load.flits, load.packets});
    return run;
}

int run_curves(const OptionValues& given)
{
    const std::optional<EnergyTable> energies = energy_table_of(given);
    if (given.is_on("saturation") && given.is_given("load"))
        throw std::invalid_argument("--saturation: searches all loads from 0 on; no --load beside it");
    CurveOptions options = measurement_of(given);
    const std::vector<CurveSpecification> specifications = curves_of(given);
    const std::vector<double> loads = parse_loads(given.text("load"));
    if (wants_channels(given) && (given.is_on("saturation") || specifications.size() * loads.size() != 1))
        throw std::invalid_argument(
            "--channel-use, --heat and --energy: of one point, so one curve and one --load");
    if (energies)
        require_finite_energies(specifications.front().network);
    options.on_prepared = [](const CurveSpecification& curve, const Routing& routing,
                             const HardwareConfig& hardware) {
        remark_routing(curve.network, routing);
        remark_hardware(curve.network, hardware);
        print_remarks();
    };
    std::vector<TrafficCurve> curves;
    {
        ProgressLine progress("traffic");
        options.workers.on_progress = [&](std::size_t done, std::size_t total) {
            progress.update(done, total);
        };
        if (given.is_on("saturation"))
            curves = find_saturation(specifications, {0, std::nullopt, given.real("tolerance")}, options);
        else
            curves = measure_curves(specifications, loads, options);
    }
    TrafficResult result{std::move(curves), {}};
    const std::vector<TrafficPoint>& points = result.curves.front().points;
    if (energies)
        result.energy = energy_result(*energies, energy_run(specifications.front(), points.front()));
    const Table table = table_of("Traffic", result.curves);
    write_table(given, "csv", table);
    print_result(result, given, [&] {
        const bool has_runs = given.count("runs") > 1;
        print_text(std::cout, fold_constant_columns(table));
        if (given.is_on("saturation"))
            for (const TrafficCurve& curve : result.curves)
                print_saturation(curve, has_runs ? fmt::format(", seed {}", curve.seed) : std::string());
        else if (has_runs)
            print_below(table_of("Means over runs", runs_of(result.curves)));
        for (const TrafficCurve& curve : result.curves)
            for (const TrafficPoint& point : curve.points)
                if (point.stall)
                    print_below(stall_table(*point.stall));
        if (given.is_on("channel-use"))
            print_below(channel_load_table(points.front()));
        if (result.energy)
            print_below(table_of("Energy", std::vector{*result.energy}));
    });
    std::cout.flush();
    if (energies)
        draw_energy(given, *result.energy, energy_run(specifications.front(), points.front()));
    if (given.has("heat"))
        draw_heat(given, result.curves.front());
    if (given.has("svg"))
        write_file_atomically(given.text("svg"), load_latency_picture(result.curves));
    const bool has_stall = std::ranges::any_of(result.curves, [](const TrafficCurve& curve) {
        return std::ranges::any_of(curve.points,
                                   [](const TrafficPoint& point) { return point.stall.has_value(); });
    });
    return has_stall ? check_failed : all_is_well;
}

/// What does not say anything beside `option`.
void refuse_beside(const char* option, std::initializer_list<std::string_view> allowed,
                   const OptionValues& given)
{
    OptionTable all = traffic_options();
    all.add(closed_loop_options()).add(energy_options());
    for (const OptionRow& other : all.rows()) {
        const std::string name = other.long_name();
        if (given.is_given(name) && name != option &&
            std::find(allowed.begin(), allowed.end(), name) == allowed.end())
            throw std::invalid_argument(fmt::format("--{}: no --{} beside it", option, name));
    }
}

int run_trace(const OptionValues& given)
{
    // A trace says itself what is sent and when, and all of it is measured.
    refuse_beside("trace", {"topology", "routing", "ports", "csv"}, given);
    if (given.texts("topology").size() > 1 || given.texts("routing", {"auto"}).size() > 1)
        throw std::invalid_argument("--trace: one topology and one routing");
    const std::string name = given.texts("topology").front();
    const Topology topology = topology_from(name);
    const Routing routing = make_routing(topology, given.texts("routing", {"auto"}).front(),
                                         given.count("seed"), hardware_of(given).path_cost_on(topology));
    MeasuredNetwork network{hardware_of(given, routing.vc_classes), parse_port_model(given.text("ports")),
                            parse_model(given.text("model"))};
    network.hardware.selection = selection_of(given);
    check_selection(topology, routing, network.hardware);
    const std::string file = given.text("trace");
    const std::vector<TraceMessage> trace = read_trace(topology, file);
    remark_routing(topology, routing);
    remark_hardware(topology, network.hardware);
    print_remarks();
    TraceResult result;
    {
        ProgressLine progress("trace");
        WorkerOptions workers;
        workers.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
        const std::vector<Job> jobs{
            [&] { return nlohmann::json(measure_trace(topology, routing, network, trace)); }};
        result = run_jobs(jobs, workers).front().get<TraceResult>();
    }
    result.model = to_string(network.model);
    result.topology = name;
    result.routing = routing.name;
    result.trace = file;
    result.vcs = network.hardware.vcs;
    const Table table = table_of("Trace", std::vector{result});
    write_table(given, "csv", table);
    print_result(result, given, [&] {
        print_text(std::cout, fold_constant_columns(table));
        if (result.stall)
            print_below(stall_table(*result.stall));
    });
    return result.stall ? check_failed : all_is_well;
}

OptionTable options_of_traffic()
{
    OptionTable options;
    options.add(traffic_options())
        .add(model_options())
        .add(closed_loop_options())
        .add(energy_options())
        .add(selection_options())
        .add(hardware_options());
    return options;
}

int run_traffic(const OptionValues& given)
{
    model_of(given, {"closed-loop"});
    if (given.has("trace"))
        return run_trace(given);
    if (!given.has("closed-loop"))
        return run_curves(given);
    refuse_beside("closed-loop",
                  {"topology", "routing", "pattern", "packet-flits", "ports", "runs", "warm-up", "window",
                   "batches", "csv", "reply-flits", "service-cycles", "reply-queue", "message-classes"},
                  given);
    return run_closed_loop(given, curves_of(given), measurement_of(given));
}

} // namespace

const ResultDescription& traffic_result()
{
    return description_of<TrafficResult>();
}

Command traffic_command()
{
    return {traffic_usage(), options_of_traffic, run_traffic};
}

} // namespace nocturne::cli
