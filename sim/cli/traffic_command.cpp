#include "models/routing/make_routing.hpp"
#include "models/topology/files.hpp"
#include "models/topology/topology_files.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/loads.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/cli/traffic_closed_loop.hpp"
#include "sim/report/progress.hpp"
#include "sim/report/report.hpp"
#include "sim/traffic/load_curves.hpp"
#include "sim/traffic/runs_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <iostream>
#include <stdexcept>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

const char* const traffic_description =
    "Synthetic traffic on a simulated network: latency of packets "
    "and accepted load, at one load, over a\n"
    "range of loads, or up to saturation. Topologies, patterns and routings can "
    "be given several times: a curve for each\n"
    "combination. Or replays the messages of a trace.\n";

using Texts = std::vector<std::string>;

constexpr std::uint64_t most_runs = 10'000;

po::options_description traffic_options()
{
    const MeasurementPlan plan;
    const auto count = [](std::uint64_t value) {
        return po::value<Count>()->value_name("N")->default_value(Count{value});
    };
    const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
    const auto texts = [](const char* name) { return po::value<Texts>()->value_name(name)->composing(); };
    static const std::string pattern_help =
        fmt::format("where messages go: {}", fmt::join(pattern_names(), ", "));
    po::options_description options("Traffic");
    options.add_options()("topology", texts("SPEC"), "specification or file; the argument without a name")(
        "pattern", texts("PATTERN"), pattern_help.c_str())(
        "load", text("LOADS")->default_value("0.1"),
        "offered flits per processor and cycle: 0.1, a list 0.1,0.2, or a range FIRST:STEP:LAST")(
        "packet-flits", text("SIZES")->default_value("8"),
        "flits of a packet: 8, or sizes with weights 2:0.7,16:0.3")(
        "arrivals", text("A")->default_value("bernoulli"),
        "bernoulli, bursty[:BURST_CYCLES[,PEAK]] or periodic")(
        "routing", texts("NAME"), ("auto, unless said: " + routing_help()).c_str())(
        "ports", text("P")->default_value("1"),
        "packets that a processor sends, and receives, at once: 1, a number, all")(
        "saturation", po::bool_switch(), "search the load at which each curve saturates")(
        "runs", count(1), "runs of each point, with seeds from --seed on: a curve for each, and their means")(
        "tolerance", po::value<double>()->value_name("X")->default_value(0.005, "0.005"),
        "how close the search comes")("trace", text("FILE"),
                                      "replay a trace: CSV of cycle,source,destination,bytes,after");
    po::options_description measurement("Measurement");
    measurement.add_options()("warm-up", count(plan.warm_up_cycles),
                              "cycles before the window, of which nothing counts")(
        "window", count(plan.window_cycles), "cycles in which packets are created that are measured")(
        "batches", count(plan.batches), "parts of the window, for confidence intervals")(
        "saturated-batches", count(plan.saturated_batches),
        "batches after which a saturated point may end; 0: it takes the whole window")(
        "drain", count(plan.drain_cycles), "cycles that measured packets may take after the window")(
        "queue-packets", count(2000), "packets that a source queue holds")(
        "csv", text("FILE"), "write the table")("channel-use", po::bool_switch(),
                                                "print the use of each channel: of one point")(
        "heat", text("FILE"), "draw the use of channels over time: of one point")("svg", text("FILE"),
                                                                                  "draw latency over load")(
        "checkpoint", text("FILE"), "keep points that are done in this file, and do not repeat them");
    return options.add(measurement);
}

Usage traffic_usage()
{
    return {
        .command = "traffic",
        .positional = "topology",
        .description = traffic_description,
        .examples = {
            "nocturne traffic mesh:4x4 --load 0.1 --packet-flits 8",
            "nocturne traffic mesh:4x4 --pattern transpose --pattern tornado --load 0.1,0.2 --svg curves.svg "
            "--csv curves.csv",
            "nocturne traffic ring:4 --saturation --tolerance 0.1"}};
}

Texts texts_of(const po::variables_map& map, const char* option, const char* otherwise)
{
    return map.count(option) != 0 ? map[option].as<Texts>() : Texts{otherwise};
}

/// A curve for each combination and, side by side, each seed.
std::vector<CurveSpecification> curves_of(const po::variables_map& map)
{
    const std::uint64_t runs = count_in_range(map, "runs", 1, most_runs);
    std::vector<CurveSpecification> curves;
    for (const std::string& topology : map["topology"].as<Texts>())
        for (const std::string& routing : texts_of(map, "routing", "auto"))
            for (const std::string& pattern : texts_of(map, "pattern", "uniform")) {
                CurveSpecification curve{topology, topology_from(topology), routing, pattern};
                curve.arrivals = map["arrivals"].as<std::string>();
                curve.packet_flits = map["packet-flits"].as<std::string>();
                curve.hardware = hardware_of(map);
                curve.as_many_vcs_as_needed = map["vcs"].as<std::string>() == "auto";
                curve.ports = parse_port_model(map["ports"].as<std::string>());
                curve.queue_packets = count_in_range(map, "queue-packets", 1, 1'000'000'000);
                for (std::uint64_t run = 0; run < runs; ++run) {
                    curve.seed = map["seed"].as<Count>().value + run;
                    curves.push_back(curve);
                }
            }
    return curves;
}

bool wants_channels(const po::variables_map& map)
{
    return map["channel-use"].as<bool>() || map.count("heat") != 0;
}

CurveOptions measurement_of(const po::variables_map& map)
{
    CurveOptions options;
    options.plan.warm_up_cycles = count_in_range(map, "warm-up", 0, MeasurementPlan::most_cycles);
    options.plan.window_cycles = count_in_range(map, "window", 2, MeasurementPlan::most_cycles);
    options.plan.batches = static_cast<std::uint32_t>(count_in_range(map, "batches", 2, 1'000'000));
    options.plan.saturated_batches =
        static_cast<std::uint32_t>(count_in_range(map, "saturated-batches", 0, 1'000'000));
    options.plan.records_channels = wants_channels(map);
    options.plan.drain_cycles = count_in_range(map, "drain", 0, MeasurementPlan::most_cycles);
    options.plan.validate();
    options.workers.workers = workers_of(map);
    if (map.count("checkpoint") != 0)
        options.checkpoint = map["checkpoint"].as<std::string>();
    return options;
}

/// How close the search for saturation comes.
double tolerance_of(const po::variables_map& map)
{
    const double tolerance = map["tolerance"].as<double>();
    if (!(tolerance >= SaturationSearch::least_tolerance && tolerance <= 1))
        throw std::invalid_argument(
            fmt::format("--tolerance {}: a load from {} to 1", tolerance, SaturationSearch::least_tolerance));
    return tolerance;
}

void write_table(const po::variables_map& map, const Table& table)
{
    if (map.count("csv") != 0)
        write_file_atomically(map["csv"].as<std::string>(), csv_of(with_origin(table, origin_of(map))));
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

/// Prints each stall; was there one?
bool print_stalls(const std::vector<TrafficCurve>& curves, bool as_json)
{
    bool found = false;
    for (const TrafficCurve& curve : curves)
        for (const TrafficPoint& point : curve.points)
            if (point.stall) {
                found = true;
                if (!as_json)
                    print_text(std::cout << '\n', stall_table(*point.stall));
            }
    return found;
}

/// The channels between routers only: what processors inject is known.
void draw_heat(const po::variables_map& map, const TrafficCurve& curve)
{
    TrafficPoint point = curve.points.front();
    point.channels.resize(topology_from(curve.topology).channel_count());
    const std::string title = fmt::format("Use of channels, {}, {}, {}, load {}", curve.topology,
                                          curve.routing, curve.pattern, point.load);
    write_file_atomically(map["heat"].as<std::string>(),
                          channel_heat_picture(point, title, map["warm-up"].as<Count>().value));
}

int run_curves(const po::variables_map& map)
{
    if (map["saturation"].as<bool>() && !map["load"].defaulted())
        throw std::invalid_argument("--saturation: searches all loads from 0 on; no --load beside it");
    CurveOptions options = measurement_of(map);
    const std::vector<CurveSpecification> specifications = curves_of(map);
    const std::vector<double> loads = parse_loads(map["load"].as<std::string>());
    if (wants_channels(map) && (map["saturation"].as<bool>() || specifications.size() * loads.size() != 1))
        throw std::invalid_argument("--channel-use and --heat: of one point, so one curve and one --load");
    std::vector<TrafficCurve> curves;
    {
        ProgressLine progress("traffic");
        options.workers.on_progress = [&](std::size_t done, std::size_t total) {
            progress.update(done, total);
        };
        if (map["saturation"].as<bool>())
            curves = find_saturation(specifications, {0, std::nullopt, tolerance_of(map)}, options);
        else
            curves = measure_curves(specifications, loads, options);
    }
    write_table(map, traffic_table(curves));
    const bool as_json = map["json"].as<bool>();
    const bool has_runs = map["runs"].as<Count>().value > 1;
    if (as_json) {
        nlohmann::json document{{"curves", curves}};
        document["made_by"] = to_json(origin_of(map));
        std::cout << document.dump(2) << '\n';
    } else {
        print_text(std::cout, fold_constant_columns(traffic_table(curves)));
        if (map["saturation"].as<bool>())
            for (const TrafficCurve& curve : curves)
                print_saturation(curve, has_runs ? fmt::format(", seed {}", curve.seed) : std::string());
        else if (has_runs)
            print_text(std::cout << '\n', fold_constant_columns(runs_table(curves)));
    }
    const bool has_stall = print_stalls(curves, as_json);
    if (map["channel-use"].as<bool>() && !as_json)
        print_text(std::cout << '\n', channel_load_table(curves.front().points.front()));
    std::cout.flush();
    if (map.count("heat") != 0)
        draw_heat(map, curves.front());
    if (map.count("svg") != 0) // last: where no point is steady there is nothing to draw
        write_file_atomically(map["svg"].as<std::string>(), load_latency_picture(curves));
    return has_stall ? check_failed : all_is_well;
}

/// What does not say anything beside `option`.
void refuse_beside(const char* option, std::initializer_list<std::string_view> allowed,
                   const po::variables_map& map)
{
    po::options_description all = traffic_options();
    all.add(closed_loop_options());
    for (const auto& other : all.options()) {
        const std::string& name = other->long_name();
        const bool is_given = map.count(name) != 0 && !map[name].defaulted();
        if (is_given && name != option && std::find(allowed.begin(), allowed.end(), name) == allowed.end())
            throw std::invalid_argument(fmt::format("--{}: no --{} beside it", option, name));
    }
}

int run_trace(const po::variables_map& map)
{
    // A trace says itself what is sent and when, and all of it is measured.
    refuse_beside("trace", {"topology", "routing", "ports", "csv"}, map);
    if (map["topology"].as<Texts>().size() > 1 || texts_of(map, "routing", "auto").size() > 1)
        throw std::invalid_argument("--trace: one topology and one routing");
    const std::string name = map["topology"].as<Texts>().front();
    const Topology topology = topology_from(name);
    const Routing routing =
        make_routing(topology, texts_of(map, "routing", "auto").front(), map["seed"].as<Count>().value);
    const MeasuredNetwork network{hardware_of(map, routing.vc_classes),
                                  parse_port_model(map["ports"].as<std::string>())};
    const std::string file = map["trace"].as<std::string>();
    const std::vector<TraceMessage> trace = read_trace(topology, file);
    TraceResult result;
    {
        ProgressLine progress("trace");
        WorkerOptions workers;
        workers.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
        const std::vector<Job> jobs{
            [&] { return nlohmann::json(measure_trace(topology, routing, network, trace)); }};
        result = run_jobs(jobs, workers).front().get<TraceResult>();
    }
    result.topology = name;
    result.routing = routing.name;
    result.trace = file;
    write_table(map, trace_table(result));
    nlohmann::json document = result;
    document["made_by"] = to_json(origin_of(map));
    if (map["json"].as<bool>())
        std::cout << document.dump(2) << '\n';
    else
        print_text(std::cout, trace_table(result));
    if (result.stall && !map["json"].as<bool>())
        print_text(std::cout << '\n', stall_table(*result.stall));
    return result.stall ? check_failed : all_is_well;
}

} // namespace

int run_traffic(const std::vector<std::string>& arguments)
{
    po::options_description options = common_options();
    options.add(traffic_options()).add(closed_loop_options()).add(hardware_options());
    const po::variables_map map = parse(traffic_usage(), arguments, options);
    if (map.count("help") != 0)
        return all_is_well;
    for (const char* option : {"csv", "svg", "heat", "checkpoint"})
        if (map.count(option) != 0)
            require_file_place(map[option].as<std::string>());
    if (map.count("trace") != 0)
        return run_trace(map);
    if (map.count("closed-loop") == 0) {
        require_closed_loop(map);
        return run_curves(map);
    }
    refuse_beside("closed-loop",
                  {"topology", "routing", "pattern", "packet-flits", "ports", "runs", "warm-up", "window",
                   "batches", "csv", "reply-flits", "service-cycles", "reply-queue", "message-classes"},
                  map);
    return run_closed_loop(map, curves_of(map), measurement_of(map));
}

} // namespace nocturne::cli
