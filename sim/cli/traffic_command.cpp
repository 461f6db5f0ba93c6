#include "models/routing/make_routing.hpp"
#include "models/text/neighbour_words.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/energy_output.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/loads.hpp"
#include "sim/cli/model_options.hpp"
#include "sim/cli/packet_options.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/cli/traffic_closed_loop.hpp"
#include "sim/cli/traffic_curves.hpp"
#include "sim/cli/traffic_faults.hpp"
#include "sim/cli/traffic_trace.hpp"
#include "sim/report/closed_loop_results.hpp"
#include "sim/traffic/class_vcs.hpp"
#include "sim/traffic/runs_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
#include <stdexcept>

namespace nocturne::cli {

namespace {

const char* const traffic_description =
    "Simulates synthetic traffic: packet latency and accepted load at one load, over a range of loads, or up "
    "to\nsaturation. Topologies, patterns and routings can be given several times; each combination is one "
    "curve. With\n--trace it replays the messages of a trace.\n";

constexpr std::uint64_t most_runs = 10'000;

OptionTable traffic_options()
{
    const MeasurementPlan plan;
    static const std::string pattern_help =
        fmt::format("traffic pattern: {}", fmt::join(pattern_names(), ", "));
    OptionTable options = option_table(
        "Traffic",
        {{"topology", names_value("SPEC"),
          "network: a specification (mesh:4x4) or a file; positional argument"},
         {"pattern", names_value("PATTERN"), pattern_help},
         {"load", text_value("LOADS", "0.1").parsed_by(check_loads),
          "offered flits per processor and cycle: 0.1, a list 0.1,0.2, or a range FIRST:LAST:STEP; rates: "
          "those of --pattern application:FILE or noxim:FILE"},
         {"packet-flits", text_value("SIZES", "8").parsed_by(make_message_sizes),
          "flits per packet: 8, or sizes with weights 2:0.7,16:0.3"},
         {"arrivals", text_value("A", "bernoulli").parsed_by(make_arrivals),
          "bernoulli, bursty[:BURST_CYCLES[,PEAK]], periodic, mmpp:RATE,CYCLES,RATE,CYCLES[,...] or "
          "pareto[:SOURCES[,SHAPE[,ON_CYCLES[,PEAK]]]], which is self-similar"},
         {"routing", names_value("NAME"), ("routing (default: auto): " + routing_help())},
         {"multicast", choice_value("HOW", {"unicasts", "tree", "reserved"}, "unicasts"),
          "packets to several destinations: unicasts to each, one behind the other; tree: one packet that "
          "routers "
          "copy where the ways part; reserved: a tree whose channels are reserved before, all at once"},
         {"ports", text_value("P", "1").parsed_by(parse_port_model),
          "port model: packets that a processor sends, and receives, at once: a number or all"},
         {"saturation", switch_value(), "search for the saturation load of each curve"},
         {"runs", count_value(1, {1, most_runs}),
          "runs per point, with consecutive seeds from --seed: one curve per seed, and the means"},
         {"tolerance",
          real_value("X", 0.005, {SaturationSearch::least_tolerance, 1}),
          "tolerance of the saturation load, flits per processor and cycle",
          {"saturation"}},
         {"class", texts_value("NAME,load=X[,KEY=VALUE...]").parsed_by(parse_class),
          "class of traffic with its own pattern, senders, packet-flits, arrivals, priority and vcs (or "
          "vcs-of=NAME: those of another class); replaces --load and the like; --saturation scales the loads "
          "of all classes by one factor; repeatable"},
         {"class-vcs",
          texts_value("ROW").parsed_by(check_class_vcs_row),
          "virtual channels of each class on some links: 'link 0,*->1,*: bulk=1 control=3'; repeatable",
          {"class"}},
         {"trace", name_value("FILE"),
          "replay a trace: CSV (cycle,source,destination,bytes,after[,class]), netrace, tt-npe JSON, GOAL, "
          "or Chakra (NAME.0.et); also compressed with bzip2"}});
    OptionTable measurement = option_table(
        "Measurement",
        {{"warm-up", count_value(plan.warm_up_cycles, {0, MeasurementPlan::most_cycles}),
          "cycles before the window, not measured"},
         {"warm-up-rule", choice_value("RULE", {"fixed", "mser-5"}, "fixed"),
          "end of the warm-up: fixed (after --warm-up cycles) or mser-5 (when the transient ends, at the "
          "latest after --warm-up cycles)"},
         {"window", count_value(plan.window_cycles, {2, MeasurementPlan::most_cycles}),
          "measured cycles: packets created in them count"},
         {"batches", count_value(plan.batches, {2, 1'000'000}),
          "batches of the window, for confidence intervals; with --trace of its time, for the use of "
          "channels"},
         {"saturated-batches", count_value(plan.saturated_batches, {0, 1'000'000}),
          "batches after which a saturated point may end; 0: after the whole window"},
         {"drain", count_value(plan.drain_cycles, {0, MeasurementPlan::most_cycles}),
          "longest time after the window for measured packets to arrive, cycles"},
         {"queue-packets", count_value(2000, {1, 1'000'000'000}), "capacity of a source queue, packets"},
         {"csv", written_value("FILE"), "write the table"},
         {"channel-use", switch_value(), "print the use of each channel, for a single point or trace"},
         {"heat", svg_value("FILE"), "draw the use of channels over time, for a single point or trace"},
         {"occupancy", written_value("FILE"), "write the mean and maximum occupancy of each buffer as CSV"},
         {"timeline",
          written_value("FILE"),
          "write computation, messages and links over time, for Perfetto or Chrome",
          {"trace"}},
         {"svg", svg_value("FILE"), "draw latency over load"},
         {"checkpoint", written_value("FILE"),
          "save finished points in this file, and skip points that it contains"}});
    return options.add(measurement);
}

/// One that needs no parameter, `traffic mesh:4x4 tornado`, or another tool's word for one.
bool is_pattern(std::string_view word)
{
    const std::vector<std::string> names = pattern_names();
    return word.find(':') == word.npos &&
           (std::ranges::find(names, word) != names.end() || find_neighbour_word(word, names) != nullptr);
}

/// What does not say anything beside `option`.
void refuse_beside(const char* option, std::initializer_list<std::string_view> allowed,
                   const OptionValues& given)
{
    OptionTable all = traffic_options();
    all.add(closed_loop_options()).add(energy_options()).add(packet_options()).add(traffic_fault_options());
    for (const OptionRow& other : all.rows()) {
        const std::string name = other.long_name();
        const auto has = [&](const auto& names) { return std::ranges::find(names, name) != names.end(); };
        if (given.is_given(name) && name != option && !has(allowed) && !has(packet_option_names))
            throw std::invalid_argument(fmt::format("--{}: not with --{}", option, name));
    }
}

int run_traffic(const OptionValues& given)
{
    model_of(given, {"occupancy"});
    refuse_given(given, {"t0-ns"}, only_for_steps);
    if (given.has("trace")) {
        // A trace says itself what is sent and when, and all of it is measured.
        refuse_beside("trace",
                      {"topology", "routing", "ports", "csv", "channel-use", "heat", "occupancy", "timeline",
                       "batches", "energy", "energy-svg", "multicast", "service-cycles", "reply-queue",
                       "reply-vcs"},
                      given);
        return run_trace(given);
    }
    if (!given.has("closed-loop"))
        return run_curves(given);
    refuse_beside("closed-loop",
                  {"topology", "routing", "pattern", "packet-flits", "ports", "runs", "warm-up", "window",
                   "batches", "csv", "reply-flits", "service-cycles", "reply-queue", "reply-vcs",
                   "message-classes"},
                  given);
    return run_closed_loop(given, curves_of(given), measurement_of(given));
}

} // namespace

Command traffic_command()
{
    return {{.command = "traffic",
             .summary = "latency over load of synthetic traffic, saturation, traces",
             .positional = "topology",
             .description = traffic_description,
             .examples = {"nocturne traffic mesh:4x4 --load 0.1 --packet-flits 8",
                          "nocturne traffic mesh:4x4 --pattern transpose --pattern tornado --load 0.1,0.2 "
                          "--svg curves.svg "
                          "--csv curves.csv",
                          "nocturne traffic ring:4 --saturation --tolerance 0.1"},
             .bare_words = {{"pattern", is_pattern}}},
            [] {
                return OptionTable()
                    .add(traffic_options())
                    .add(model_options())
                    .add(closed_loop_options())
                    .add(packet_options())
                    .add(traffic_fault_options())
                    .add(energy_options())
                    .add(selection_options())
                    .add(hardware_options());
            },
            run_traffic,
            {traffic_result, description_of<TrafficRuns>, description_of<ClosedLoopResults>, trace_result}};
}

} // namespace nocturne::cli
