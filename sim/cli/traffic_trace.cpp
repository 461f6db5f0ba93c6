#include "sim/cli/traffic_trace.hpp"

#include "models/endpoints/trace_replay.hpp"
#include "models/hardware/network_plan.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/files.hpp"
#include "models/topology/input_log.hpp"
#include "models/topology/topology_files.hpp"
#include "models/traffic/npe_events.hpp"
#include "schedules/workers/workers.hpp"
#include "sim/cli/channel_output.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/energy_output.hpp"
#include "sim/cli/hardware_options.hpp"
#include "sim/cli/outputs.hpp"
#include "sim/cli/packet_options.hpp"
#include "sim/cli/result_output.hpp"
#include "sim/cli/run_remarks.hpp"
#include "sim/cli/schedule_runs.hpp"
#include "sim/cli/traffic_closed_loop.hpp"
#include "sim/report/progress.hpp"
#include "sim/report/report.hpp"
#include "sim/traffic/measure.hpp"
#include "sim/traffic/packed_flows.hpp"

#include <fmt/format.h>

#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace nocturne::cli {

namespace {

/// A trace all of which has been read once, before anything runs or is written: what is wrong is said then.
class OpenedTrace {
public:
    /// Throws as open_trace().
    OpenedTrace(const Topology& topology, const std::string& file) : topology_(topology), file_(file)
    {
        if (is_special(file)) // a pipe can be read once only
            messages_ = read_trace(topology, file);
        else if ((programs_ = read_programs(file)))
            check_programs(*programs_, topology);
        else if (is_npe_events(file))
            programs_ = read_npe_events(topology, file);
        if (programs_) {
            is_empty_ = programs_->operations.empty();
            for (const RankPrograms::Operation& operation : programs_->operations)
                if (operation.copies > 1)
                    multicast_bytes_ = std::max(multicast_bytes_, operation.bytes);
            return;
        }
        const TraceSummary summary = summary_of(*reader());
        is_empty_ = summary.messages == 0;
        multicast_bytes_ = summary.multicast_bytes;
        classes_ = summary.classes;
        if (summary.is_sorted)
            return;
        window_ = std::numeric_limits<std::size_t>::max();
        InputLog::remark(
            fmt::format("{}: its messages are not in the order of their cycles; they are sorted, "
                        "all {} in memory",
                        file, summary.messages));
    }

    bool is_empty() const { return is_empty_; }
    std::uint32_t classes() const { return classes_; }
    /// Of the largest message to several destinations; 0 if there are none.
    std::uint64_t multicast_bytes() const { return multicast_bytes_; }
    /// Of what answers requests. Throws std::invalid_argument for options of it if nothing does.
    void set_servers(const OptionValues& given)
    {
        if (!programs_ || !programs_->servers) {
            refuse_given(given, {"service-cycles", "reply-queue", "reply-vcs"},
                         "only for a trace of requests that are answered: events of tt-npe");
            return;
        }
        programs_->servers = {given.small_count("service-cycles"), given.small_count("reply-queue"),
                              reply_vcs_of(given)};
        InputLog::remark(fmt::format("{}: events of tt-npe: memories answer {} cycles after a request, "
                                     "{} requests at a time",
                                     file_, programs_->servers->service_cycles,
                                     programs_->servers->requests));
    }
    /// Of `vcs` that a link has, if that is said.
    VcClasses vc_classes(const Routing& routing, std::optional<unsigned> vcs) const
    {
        return programs_ ? vc_classes_of(*programs_, routing, vcs.value_or(0))
                         : routings_by_class(routing, classes_).front().vc_classes;
    }

    /// Replays it. Throws as measure_trace() and measure_programs().
    TraceResult measure(const Routing& routing, const MeasuredNetwork& network,
                        const TraceRecords& records) const
    {
        if (programs_)
            return measure_programs(topology_, routing, network, *programs_, records);
        const std::unique_ptr<TraceReader> messages = reader();
        return measure_trace(topology_, routing, network, *messages, window_, records, classes_);
    }

private:
    /// From the beginning on.
    std::unique_ptr<TraceReader> reader() const
    {
        if (messages_)
            return std::make_unique<TraceList>(*messages_);
        return open_trace(topology_, file_);
    }

    const Topology& topology_;
    const std::string& file_;
    std::optional<std::vector<TraceMessage>> messages_;
    std::optional<RankPrograms> programs_; ///< instead
    std::size_t window_ = TraceReplay::usual_window;
    bool is_empty_ = false;
    std::uint64_t multicast_bytes_ = 0;
    std::uint32_t classes_ = 1; ///< of messages
};

/// What is printed of a trace.
struct TraceOutput {
    TraceResult trace;
    std::optional<EnergyResult> energy;
};

Fields<TraceOutput> fields_of(const TraceOutput*)
{
    const ResultDescription& trace = description_of<TraceResult>();
    return Fields<TraceOutput>{trace.name, trace.meaning, {}}
        .with(&TraceOutput::trace)
        .with({{"energy", "", "Energy of the run, if asked for and the trace ended.",
                [](const TraceOutput& output) { return output.energy; }, Shown::in_files}});
}

EnergyRun energy_run(const Topology& topology, const MeasuredNetwork& network, const TraceResult& result)
{
    return {topology, network.ports, network.hardware, activity_of(result.channels, result.time_cycles),
            fmt::format("{}, {}: energy without clock and leakage", result.topology, result.trace)};
}

/// Calls `run` with what is to be written down. The files are there when that returns, and as they were if
/// it throws.
void with_trace_records(const OptionValues& given, const std::function<void(const TraceRecords&)>& run)
{
    with_packet_records(given, [&](const PacketRecords& packets) {
        TraceRecords records{
            packets, wants_channels(given) ? given.small_count("batches") : 0, given.has("occupancy"), {}};
        if (!given.has("timeline")) {
            run(records);
            return;
        }
        write_file_atomically(given.text("timeline"), [&](const ByteSink& sink) {
            records.timeline = sink;
            run(records);
        });
    });
}

} // namespace

const ResultDescription& trace_result()
{
    return description_of<TraceOutput>();
}

int run_trace(const OptionValues& given)
{
    if (given.texts("topology").size() > 1 || given.texts("routing", {"auto"}).size() > 1)
        throw std::invalid_argument("--trace: one topology and one routing");
    if (given.is_given("batches") && !wants_channels(given))
        throw std::invalid_argument("--batches: with --trace only for --channel-use, --heat or --energy");
    const std::optional<EnergyTable> energies = energy_table_of(given);
    std::string name = given.texts("topology").front();
    const Topology topology = with_parts_of(given, topology_from(name));
    if (given.has("part"))
        name = topology.name();
    const Routing routing = make_routing(topology, given.texts("routing", {"auto"}).front(),
                                         given.count("seed"), hardware_of(given).path_cost_on(topology));
    const std::string file = given.text("trace");
    OpenedTrace trace(topology, file);
    trace.set_servers(given);
    MeasuredNetwork network{hardware_of(given, trace.vc_classes(routing, given_vcs(given.text("vcs")))),
                            parse_port_model(given.text("ports")), parse_model(given.text("model"))};
    network.hardware.selection = selection_of(given);
    if (trace.multicast_bytes() == 0)
        refuse_given(given, {"multicast"}, "no message of the trace has several destinations");
    refuse_trees(given, network.model);
    network.hardware.multicast = multicast_of(given);
    check_selection(topology, routing, network.hardware);
    remark_routing(topology, routing);
    remark_trees(topology, network.hardware, network.hardware.flits(trace.multicast_bytes()));
    check_run(given, topology, network.model, network.hardware,
              "a --class with a priority, not with --trace");
    if (energies)
        check_energy(topology, *energies);
    check_occupancy(given, topology);
    if (given.has("heat") && trace.is_empty())
        throw std::invalid_argument(fmt::format("--heat: {} is empty: there is no time to draw", file));
    print_remarks();
    TraceResult result;
    {
        ProgressLine progress("trace");
        WorkerOptions workers;
        workers.on_progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
        with_trace_records(given, [&](const TraceRecords& records) {
            const std::vector<Job> jobs{[&] { return for_parent(trace.measure(routing, network, records)); }};
            result = from_worker<TraceResult>(run_jobs(jobs, workers).front());
        });
    }
    result.model = to_string(network.model);
    result.topology = name;
    result.routing = routing.name;
    result.selection = selection_taken(routing, network.hardware);
    result.trace = file;
    result.vcs = network.hardware.vcs;
    result.message_classes = trace.classes();
    if (const unsigned vcs = reply_vcs_of(given); vcs > 0)
        result.reply_vcs = vcs;
    if (trace.multicast_bytes() > 0)
        result.multicast = given.text("multicast");
    write_packet_tables(given, result.flows, result.histogram);
    // They may be large, and no table has them.
    std::vector<FlowLatency> flows = std::exchange(result.flows, {});
    const Table table = table_of("Trace", std::vector{result});
    if (given.is_on("json"))
        result.flows = std::move(flows);
    write_table(given, "csv", table);
    write_table(given, "occupancy", table_of("Flits in buffers", result.buffers));
    TraceOutput output{result, {}};
    if (energies && !result.stall)
        output.energy = energy_result(*energies, energy_run(topology, network, result));
    print_result(output, given, [&] {
        print_text(std::cout, fold_constant_columns(table));
        if (result.stall)
            print_below(stall_table(*result.stall));
        if (given.is_on("channel-use"))
            print_below(channel_load_table(result.channels));
        if (output.energy)
            print_below(table_of("Energy", std::vector{*output.energy}));
    });
    std::cout.flush();
    if (output.energy)
        draw_energy(given, *output.energy, energy_run(topology, network, result));
    draw_heat(given, result.channels, topology.channel_count(),
              fmt::format("Use of channels, {}, {}, {}", result.topology, result.routing, result.trace), 0,
              result.time_cycles);
    return result.stall ? check_failed : all_is_well;
}

} // namespace nocturne::cli
