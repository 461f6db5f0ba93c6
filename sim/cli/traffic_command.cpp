#include "models/routing/make_routing.hpp"
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
#include "sim/traffic/class_vcs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <initializer_list>
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
         {"load", text_value("LOADS", "0.1").parsed_by(check_loads),
          "offered flits per processor and cycle: 0.1, a list 0.1,0.2, or a range FIRST:LAST:STEP; rates: "
          "those of --pattern application:FILE or noxim:FILE"},
         {"packet-flits", text_value("SIZES", "8").parsed_by(make_message_sizes),
          "flits of a packet: 8, or sizes with weights 2:0.7,16:0.3"},
         {"arrivals", text_value("A", "bernoulli").parsed_by(make_arrivals),
          "bernoulli, bursty[:BURST_CYCLES[,PEAK]], periodic, mmpp:RATE,CYCLES,RATE,CYCLES[,...] or "
          "pareto[:SOURCES[,SHAPE[,ON_CYCLES[,PEAK]]]], which is self-similar"},
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
         {"class", texts_value("NAME,load=X[,KEY=VALUE...]").parsed_by(parse_class),
          "one of several kinds of traffic at once, with pattern, senders, packet-flits, arrivals, vcs (or "
          "vcs-of=NAME: those of another one) and priority of its own; may be given several times, instead "
          "of --load and the like; --saturation scales the loads of all by one factor"},
         {"class-vcs",
          texts_value("ROW").parsed_by(check_class_vcs_row),
          "virtual channels of classes on some links: 'link 0,*->1,*: bulk=1 control=3'; may be given "
          "several "
          "times",
          {"class"}},
         {"trace", name_value("FILE"),
          "replay a trace: CSV of cycle,source,destination,bytes,after, netrace, a workload of tt-npe in "
          "JSON, GOAL, or traces of Chakra (NAME.0.et); also compressed with bzip2"}});
    OptionTable measurement = option_table(
        "Measurement",
        {{"warm-up", count_value(plan.warm_up_cycles, {0, MeasurementPlan::most_cycles}),
          "cycles before the window, of which nothing counts"},
         {"warm-up-rule", choice_value("RULE", {"fixed", "mser-5"}, "fixed"),
          "fixed: as long as --warm-up says; mser-5: until the end of the transient is found, at most as "
          "long"},
         {"window", count_value(plan.window_cycles, {2, MeasurementPlan::most_cycles}),
          "cycles in which packets are created that are measured"},
         {"batches", count_value(plan.batches, {2, 1'000'000}),
          "parts of the window, for confidence intervals; of a trace's time, for the use of channels"},
         {"saturated-batches", count_value(plan.saturated_batches, {0, 1'000'000}),
          "batches after which a saturated point may end; 0: it takes the whole window"},
         {"drain", count_value(plan.drain_cycles, {0, MeasurementPlan::most_cycles}),
          "cycles that measured packets may take after the window"},
         {"queue-packets", count_value(2000, {1, 1'000'000'000}), "packets that a source queue holds"},
         {"csv", written_value("FILE"), "write the table"},
         {"channel-use", switch_value(), "print the use of each channel: of one point or trace"},
         {"heat", svg_value("FILE"), "draw the use of channels over time: of one point or trace"},
         {"occupancy", written_value("FILE"),
          "write how many flits were in each buffer, mean and maximum over the window or the trace, as CSV"},
         {"timeline",
          written_value("FILE"),
          "write what computes, the messages and the links that they hold over time, for Perfetto or Chrome",
          {"trace"}},
         {"svg", svg_value("FILE"), "draw latency over load"},
         {"checkpoint", written_value("FILE"),
          "keep points that are done in this file, and do not repeat them"}});
    return options.add(measurement);
}

/// One that needs no parameter: `traffic mesh:4x4 tornado`.
bool is_pattern(std::string_view word)
{
    const std::vector<std::string> names = pattern_names();
    return word.find(':') == word.npos && std::ranges::find(names, word) != names.end();
}

Usage traffic_usage()
{
    return {.command = "traffic",
            .summary = "latency over load for synthetic traffic, saturation, traces",
            .positional = "topology",
            .description = traffic_description,
            .examples = {"nocturne traffic mesh:4x4 --load 0.1 --packet-flits 8",
                         "nocturne traffic mesh:4x4 --pattern transpose --pattern tornado --load 0.1,0.2 "
                         "--svg curves.svg "
                         "--csv curves.csv",
                         "nocturne traffic ring:4 --saturation --tolerance 0.1"},
            .bare_words = {{"pattern", is_pattern}}};
}

OptionTable options_of_traffic()
{
    OptionTable options;
    options.add(traffic_options())
        .add(model_options())
        .add(closed_loop_options())
        .add(packet_options())
        .add(traffic_fault_options())
        .add(energy_options())
        .add(selection_options())
        .add(hardware_options());
    return options;
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
            throw std::invalid_argument(fmt::format("--{}: no --{} beside it", option, name));
    }
}

int run_traffic(const OptionValues& given)
{
    model_of(given, {"occupancy"});
    refuse_given(given, {"t0-ns"}, takes_steps);
    if (given.has("trace")) {
        // A trace says itself what is sent and when, and all of it is measured.
        refuse_beside("trace",
                      {"topology", "routing", "ports", "csv", "channel-use", "heat", "occupancy", "timeline",
                       "batches", "energy", "energy-svg"},
                      given);
        return run_trace(given);
    }
    if (!given.has("closed-loop"))
        return run_curves(given);
    refuse_beside("closed-loop",
                  {"topology", "routing", "pattern", "packet-flits", "ports", "runs", "warm-up", "window",
                   "batches", "csv", "reply-flits", "service-cycles", "reply-queue", "message-classes"},
                  given);
    return run_closed_loop(given, curves_of(given), measurement_of(given));
}

} // namespace

Command traffic_command()
{
    return {traffic_usage(), options_of_traffic, run_traffic};
}

} // namespace nocturne::cli
