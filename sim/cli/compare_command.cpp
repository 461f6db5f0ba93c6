#include "models/routing/make_routing.hpp"
#include "models/text/json_text.hpp"
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "schedules/collective/kind_names.hpp"
#include "schedules/schedule/validator.hpp"
#include "sim/cli/background_options.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/model_options.hpp"
#include "sim/cli/origin_of.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/schedule_runs.hpp"
#include "sim/cli/sizes.hpp"
#include "sim/cli/subcommands.hpp"
#include "sim/cli/verdict.hpp"
#include "sim/page/recording.hpp"
#include "sim/report/baselines.hpp"
#include "sim/report/pictures.hpp"
#include "sim/report/progress.hpp"
#include "sim/report/report.hpp"
#include "sim/report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <optional>
#include <span>
#include <utility>

namespace nocturne::cli {

namespace {

const char* const default_routings = "auto,adaptive";

const char* const compare_description =
    "Replays a schedule with barriers and self-timed, and sends the same messages without a schedule over "
    "the same\nhardware: in destination order, shifted (to i+1, i+2, ...), in random order, and for "
    "broadcasts along binomial trees,\nwith each of the routings. Names the fastest run without a schedule "
    "at each message size.\n";

/// `in-order,random+chained`.
std::vector<UnscheduledTraffic> orders_of(const std::string& text, std::uint64_t seed)
{
    std::vector<UnscheduledTraffic> orders;
    for (const std::string& name : parts_of(text))
        orders.push_back(parse_unscheduled(name, seed));
    return orders;
}

OptionTable compare_options()
{
    return option_table(
        "Comparison",
        {{"bytes", text_value("SIZES", "64:65536").parsed_by(parse_sizes),
          "message sizes, at least two: a list 64,1024, or a range 64:65536 (doubling) or 64:65536:x4"},
         {"routing", name_value("LIST", default_routings),
          ("routings of the messages without a schedule, separated by commas; adaptive is skipped with a "
           "remark if the hardware has none: " +
           routing_help())},
         {"traffic", text_value("LIST").parsed_by([](const std::string& text) { return orders_of(text, 1); }),
          "message orders without a schedule, separated by commas: in-order, shifted, random, binomial; "
          "+chained pays the start-up once"},
         {"record", written_value("FILE"),
          "write the JSON result with every message on every channel, for the schedule and the strongest run "
          "without one, for 'nocturne report'"},
         {"output,o", written_value("DIR", Written::folder),
          "write comparison.csv, comparison.json, latency.svg and, with --model flit, occupancy.svg there"}});
}

std::vector<UnscheduledTraffic> baselines_of(const OptionValues& given, const Collective& collective)
{
    const std::uint64_t seed = given.count("seed");
    if (!given.has("traffic"))
        return usual_baselines(collective, seed);
    std::vector<UnscheduledTraffic> result = orders_of(given.text("traffic"), seed);
    for (const UnscheduledTraffic& traffic : result)
        if (traffic.order == SendOrder::binomial && !is_broadcast(collective))
            throw std::invalid_argument(
                fmt::format("--traffic binomial: {} is no broadcast", in_words(collective.kind)));
    return result;
}

/// Why these runs cannot be routed adaptively; empty if they can. `given_vcs`: nothing where the number of
/// virtual channels follows from the routings.
std::string why_not_adaptive(const Routing& adaptive, const Topology& topology,
                             const SimulationOptions& options, std::optional<unsigned> given_vcs)
{
    if (options.model != NetworkModel::flit)
        return fmt::format("--model {} has none", to_string(options.model));
    if (options.background)
        return "it would need the virtual channels of the background traffic";
    if (options.hardware.pipeline_of(topology).speculation != Speculation::none)
        return "a speculative pipeline needs source routing";
    if (given_vcs && *given_vcs < adaptive.vc_classes.count())
        return fmt::format("it needs {} virtual channels, --vcs is {}", adaptive.vc_classes.count(),
                           *given_vcs);
    return "";
}

/// Those that are asked for; if none are, what suits the topology, and adaptive where that is possible: what
/// is left out is remarked.
std::vector<Routing> routings_of(const OptionValues& given, const Topology& topology,
                                 const SimulationOptions& options)
{
    const bool is_chosen = given.is_given("routing");
    const bool has_auto_vcs = given.text("vcs") == "auto";
    std::vector<Routing> routings;
    for (const std::string& name : parts_of(given.text("routing"))) {
        Routing routing =
            make_routing(topology, name, given.count("seed"), options.hardware.path_cost_on(topology));
        if (routing.adaptive()) {
            const std::string reason =
                why_not_adaptive(routing, topology, options,
                                 has_auto_vcs ? std::nullopt : std::optional{options.hardware.vcs});
            if (is_chosen && !reason.empty())
                throw std::invalid_argument(fmt::format("--routing {}: {}", name, reason));
            if (!reason.empty()) {
                InputLog::remark(
                    fmt::format("{}: no adaptive routing among the runs: {}", topology.name(), reason));
                continue;
            }
        }
        routings.push_back(std::move(routing));
    }
    return routings;
}

/// What the routers of the adaptive runs select by; the other runs have nothing to select.
void set_selection(const OptionValues& given, std::span<const Routing> routings, HardwareConfig& hardware)
{
    hardware.selection = selection_of(given);
    if (hardware.selection &&
        std::ranges::none_of(routings, [](const Routing& routing) { return routing.adaptive() != nullptr; }))
        throw std::invalid_argument(
            fmt::format("--selection {}: no run is routed adaptively", to_string(*hardware.selection)));
}

/// The line is gone before anything is printed.
Comparison compare_with_progress(const InputSchedule& input, std::span<const Routing> routings,
                                 ComparisonOptions options)
{
    ProgressLine progress("compare");
    options.workers.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
    return compare(input.schedule, input.topology, routings, options);
}

/// Each deadlock once, at the smallest message that shows it.
void print_stalls(const Comparison& comparison)
{
    std::string last;
    for (const RunResult& run : comparison.baselines) {
        const std::string name = fmt::format("{}, {}", run.traffic, run.routing);
        if (!run.stall || name == last)
            continue;
        last = name;
        std::cout << fmt::format("\n{}, {} bytes\n", name, run.message_bytes);
        print_text(std::cout, stall_table(*run.stall));
    }
}

/// Of the largest messages: by the schedule under its barrier, and by the strongest traffic without one.
void print_blocking(const Comparison& comparison)
{
    const auto print = [](const RunResult& run) {
        if (const std::string text = describe_blocking(run); !text.empty())
            fmt::print("\n{}, {}, {}\n", run.traffic, run.routing, text);
    };
    print(comparison.replays.back().run);
    if (const RunResult* strongest = strongest_baseline(comparison, comparison.message_bytes.back()))
        print(*strongest);
}

/// Channel occupancy is shown for a message that takes about as long as the start-up: both are to be seen.
std::uint64_t recorded_size(const ComparisonOptions& options)
{
    return options.message_bytes[options.message_bytes.size() / 2];
}

/// The schedule under its barrier with that size, its occupancy recorded.
RunResult recorded_schedule(const InputSchedule& input, const ComparisonOptions& options)
{
    ReplaySeries series{options, Synchronization::barrier};
    series.message_bytes = {recorded_size(options)};
    series.simulation.record_occupancy = true;
    return replay_with_progress(input, series, "compare, recording").front().run;
}

/// Channels over time, as SVG.
std::string occupancy_of(const InputSchedule& input, const ComparisonOptions& options)
{
    return occupancy_picture(recorded_schedule(input, options),
                             fmt::format("{} ({} bytes)", input.schedule.name, recorded_size(options)));
}

/// The comparison with two of its runs, message by message: the schedule, and the strongest without one.
std::string recorded_document(const OptionValues& given, const InputSchedule& input,
                              const Comparison& comparison, std::span<const Routing> routings,
                              const ComparisonOptions& options)
{
    const std::uint64_t bytes = recorded_size(options);
    std::vector<RecordedRun> runs{
        {fmt::format("schedule, {} bytes", bytes), recorded_schedule(input, options)}};
    if (const RunResult* const strongest = strongest_baseline(comparison, bytes))
        runs.push_back({fmt::format("{}, {}, {} bytes", strongest->traffic, strongest->routing, bytes),
                        record_baseline(input.schedule, input.topology, routings, options, *strongest)});
    nlohmann::ordered_json document = document_of(comparison, given);
    document["recording"] =
        recording_json(input.topology, options.simulation.hardware, input.schedule.ports, runs);
    return json_text(document) + "\n";
}

void write_results(const std::filesystem::path& folder, const InputSchedule& input,
                   const Comparison& comparison, const ComparisonOptions& options, const OptionValues& given)
{
    std::string occupancy;
    if (options.simulation.model == NetworkModel::flit)
        occupancy = occupancy_of(input, options);
    const std::string latency = draw(latency_plot(comparison));
    const Table runs = table_of("Runs", std::span(&comparison, 1));
    write_folder(folder, [&](const FolderSink& write) {
        write("comparison.csv", csv_of(with_origin(runs, origin_of(given))));
        write("comparison.json", json_text(document_of(comparison, given), 2) + "\n");
        write("latency.svg", latency);
        if (options.simulation.model == NetworkModel::flit)
            write("occupancy.svg", occupancy);
    });
}

int run_compare(const OptionValues& given)
{
    const InputSchedule input = schedule_with_parts(given);
    if (is_invalid_of_chunks(input))
        return judge(judged_chunks(given, given.text("schedule")), given);
    ComparisonOptions options{runs_of(given, input, given.text("bytes")),
                              baselines_of(given, input.schedule.collective)};
    if (const auto& bytes = made_for_of(input).bytes; bytes && !given.is_given("bytes"))
        InputLog::remark(fmt::format("{}: it was made for {} bytes, and is compared at sizes of {} (--bytes)",
                                     given.text("schedule"), *bytes, given.text("bytes")));
    if (options.message_bytes.size() < 2)
        throw std::invalid_argument(
            fmt::format("--bytes {}: a comparison takes at least two sizes", given.text("bytes")));
    options.simulation.hardware = hardware_of(given);
    const std::vector<Routing> routings = routings_of(given, input.topology, options.simulation);
    unsigned vc_classes = 1;
    for (const Routing& routing : routings)
        vc_classes = std::max(vc_classes, routing.vc_classes.count());
    set_hardware(given, input, vc_classes, options.simulation);
    set_selection(given, routings, options.simulation.hardware);
    if (!is_between_memories(input.schedule) && !validate(input.schedule, input.topology).empty())
        return judge(input, given);
    for (const Routing& routing : routings)
        remark_routing(input.topology, routing);
    check_runs(given, input, options);
    Comparison comparison = compare_with_progress(input, routings, options);
    if (given.has("output"))
        write_results(given.text("output"), input, comparison, options, given);
    if (given.has("record"))
        write_file_atomically(given.text("record"),
                              recorded_document(given, input, comparison, routings, options));
    print_result(comparison, given, [&] {
        print_text(std::cout, latency_table(comparison));
        print_below(baseline_table(comparison));
        if (comparison.fit)
            print_below(table_of("Least-squares fit: time of a step = t0 + hop overhead + m t1",
                                 std::vector{*comparison.fit}));
        print_blocking(comparison);
        print_stalls(comparison);
        std::cout << '\n' << headline_of(comparison) << '\n';
    });
    const auto is_right = [](const RunResult& run) { return run.memory_ok && !run.stall; };
    const bool all_ran = std::all_of(comparison.replays.begin(), comparison.replays.end(),
                                     [&](const ReplayResult& replay) { return is_right(replay.run); }) &&
                         std::all_of(comparison.baselines.begin(), comparison.baselines.end(), is_right);
    return all_ran ? all_is_well : check_failed;
}

} // namespace

Command compare_command()
{
    return {{.command = "compare",
             .summary = "compare a schedule with the same messages without a schedule",
             .positional = "schedule",
             .description = compare_description,
             .examples = {"nocturne schedule octagon:8 --collective AAS -o aas.json",
                          "nocturne compare aas.json --bytes 64,1KiB -o results"}},
            [] {
                return OptionTable()
                    .add(schedule_options())
                    .add(compare_options())
                    .add(model_options())
                    .add(payload_options())
                    .add(background_options())
                    .add(selection_options())
                    .add(hardware_options());
            },
            run_compare,
            {description_of<Comparison>}};
}

} // namespace nocturne::cli
