#include "models/routing/make_routing.hpp"
#include "models/topology/files.hpp"
#include "models/topology/topology_files.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/loads.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/experiment/progress.hpp"
#include "sim/measurement/load_curves.hpp"
#include "sim/report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <stdexcept>

namespace nocturne::cli {

namespace po = boost::program_options;

namespace {

const char* const traffic_description =
    "Traffic that nobody scheduled, on a simulated network: latency of packets "
    "and accepted load, at one load, over a\n"
    "range of loads, or up to saturation. Topologies, patterns and routings can "
    "be given several times: a curve for each\n"
    "combination. Or replays the messages of a trace.\n";

using Texts = std::vector<std::string>;

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
        "tolerance", po::value<double>()->value_name("X")->default_value(0.005, "0.005"),
        "how close the search comes")("trace", text("FILE"),
                                      "replay a trace: CSV of cycle,source,destination,bytes,after");
    po::options_description measurement("Measurement");
    measurement.add_options()("warm-up", count(plan.warm_up_cycles),
                              "cycles before the window, of which nothing counts")(
        "window", count(plan.window_cycles), "cycles in which packets are created that are measured")(
        "batches", count(plan.batches), "parts of the window, for confidence intervals")(
        "drain", count(plan.drain_cycles), "cycles that measured packets may take after the window")(
        "queue-packets", count(2000), "packets that a source queue holds")(
        "csv", text("FILE"), "write the table")("svg", text("FILE"), "draw latency over load")(
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

std::vector<CurveSpecification> curves_of(const po::variables_map& map)
{
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
                curves.push_back(std::move(curve));
            }
    return curves;
}

CurveOptions measurement_of(const po::variables_map& map)
{
    CurveOptions options;
    options.plan.warm_up_cycles = count_in_range(map, "warm-up", 0, MeasurementPlan::most_cycles);
    options.plan.window_cycles = count_in_range(map, "window", 2, MeasurementPlan::most_cycles);
    options.plan.batches = static_cast<std::uint32_t>(count_in_range(map, "batches", 2, 1'000'000));
    options.plan.drain_cycles = count_in_range(map, "drain", 0, MeasurementPlan::most_cycles);
    options.plan.validate();
    options.seed = map["seed"].as<Count>().value;
    options.workers.workers = workers_of(map);
    if (map.count("checkpoint") != 0)
        options.checkpoint = map["checkpoint"].as<std::string>();
    return options;
}

void write_table(const po::variables_map& map, const Table& table)
{
    if (map.count("csv") != 0)
        write_file_atomically(map["csv"].as<std::string>(), csv_of(table));
}

void print_saturation(const TrafficCurve& curve)
{
    const std::string what = fmt::format("{}, {}, {}", curve.topology, curve.routing, curve.pattern);
    if (!curve.lowest_saturated_load)
        fmt::print("{}: not saturated up to load {}\n", what, *curve.highest_steady_load);
    else if (curve.highest_steady_load)
        fmt::print("{}: steady at load {:.4f}, saturated at {:.4f}\n", what, *curve.highest_steady_load,
                   *curve.lowest_saturated_load);
    else
        fmt::print("{}: saturated at load {:.4f}; no steady load was found\n", what,
                   *curve.lowest_saturated_load);
}

/// One point alone is the whole document; curves are a list.
nlohmann::json document_of(const std::vector<TrafficCurve>& curves)
{
    if (curves.size() > 1 || curves.front().points.size() != 1 || curves.front().lowest_saturated_load)
        return {{"curves", curves}};
    const TrafficCurve& curve = curves.front();
    nlohmann::json point = curve.points.front();
    point.update({{"topology", curve.topology},
                  {"routing", curve.routing},
                  {"pattern", curve.pattern},
                  {"arrivals", curve.arrivals},
                  {"packet_flits", curve.packet_flits}});
    return point;
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

int run_curves(const po::variables_map& map)
{
    if (map["saturation"].as<bool>() && !map["load"].defaulted())
        throw std::invalid_argument("--saturation: searches loads from 0 to 1; no --load beside it");
    CurveOptions options = measurement_of(map);
    const std::vector<CurveSpecification> specifications = curves_of(map);
    std::vector<TrafficCurve> curves;
    {
        ProgressLine progress("traffic");
        options.workers.on_progress = [&](std::size_t done, std::size_t total) {
            progress.update(done, total);
        };
        if (map["saturation"].as<bool>())
            curves = find_saturation(specifications, {0, 1, map["tolerance"].as<double>()}, options);
        else
            curves = measure_curves(specifications, parse_loads(map["load"].as<std::string>()), options);
    }
    write_table(map, traffic_table(curves));
    const bool as_json = map["json"].as<bool>();
    if (as_json) {
        std::cout << document_of(curves).dump(2) << '\n';
    } else {
        print_text(std::cout, fold_constant_columns(traffic_table(curves)));
        if (map["saturation"].as<bool>())
            for (const TrafficCurve& curve : curves)
                print_saturation(curve);
    }
    const bool has_stall = print_stalls(curves, as_json);
    std::cout.flush();
    if (map.count("svg") != 0) // last: where no point is steady there is nothing to draw
        write_file_atomically(map["svg"].as<std::string>(), load_latency_picture(curves));
    return has_stall ? check_failed : all_is_well;
}

int run_trace(const po::variables_map& map)
{
    for (const char* option : {"pattern", "svg", "checkpoint"})
        if (map.count(option) != 0)
            throw std::invalid_argument(fmt::format("--trace: no --{} beside it", option));
    if (!map["load"].defaulted() || map["saturation"].as<bool>() || map["topology"].as<Texts>().size() > 1 ||
        texts_of(map, "routing", "auto").size() > 1)
        throw std::invalid_argument(
            "--trace: one topology and one routing, and neither --load nor --saturation");
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
    if (map["json"].as<bool>())
        std::cout << nlohmann::json(result).dump(2) << '\n';
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
    options.add(traffic_options()).add(hardware_options());
    const po::variables_map map = parse(traffic_usage(), arguments, options);
    if (map.count("help") != 0)
        return all_is_well;
    for (const char* option : {"csv", "svg", "checkpoint"})
        if (map.count(option) != 0)
            require_file_place(map[option].as<std::string>());
    return map.count("trace") != 0 ? run_trace(map) : run_curves(map);
}

} // namespace nocturne::cli
