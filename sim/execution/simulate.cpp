#include "sim/execution/simulate.hpp"

#include "models/hardware/network.hpp"
#include "schedules/schedule/step_staging.hpp"
#include "sim/execution/chunk_times.hpp"
#include "sim/execution/collective_contents.hpp"
#include "sim/execution/dma_machine.hpp"
#include "sim/execution/program.hpp"
#include "sim/simulation/buffer_need.hpp"
#include "sim/simulation/memory_need.hpp"
#include "sim/simulation/occupancy.hpp"
#include "sim/simulation/stalls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

namespace nocturne {

namespace {

/// Link activity in a file, from its making until it is closed.
class LinkTrace {
public:
    LinkTrace(std::filesystem::path path, const Network& network)
        : path_(std::move(path)),
          trace_(sc_core::sc_create_vcd_trace_file(std::filesystem::path(path_).replace_extension().c_str()))
    {
        trace_->set_time_unit(1, sc_core::SC_PS);
        for (std::size_t id = 0; id < network.links().size(); ++id)
            network.links()[id]->trace_activity(trace_, fmt::format("{}.link_{}", network.name(), id));
    }

    /// SystemC does not say whether it could write: the last words of the file are there, or something before
    /// them is not either.
    void close()
    {
        const std::string last_words = "the end of the trace";
        sc_core::sc_write_comment(trace_, last_words);
        sc_core::sc_close_vcd_trace_file(trace_);
        std::ifstream file(path_, std::ios::binary | std::ios::ate);
        std::string tail(std::min<std::size_t>(file ? static_cast<std::size_t>(file.tellg()) : 0, 200), ' ');
        file.seekg(-static_cast<std::streamoff>(tail.size()), std::ios::end);
        if (!file.read(tail.data(), static_cast<std::streamsize>(tail.size())) ||
            tail.find(last_words) == std::string::npos)
            throw std::runtime_error(fmt::format(
                "{}: the trace could not be written to its end; the disk may be full", path_.string()));
    }

private:
    std::filesystem::path path_;
    sc_core::sc_trace_file* trace_;
};

/// What is run, besides the program.
struct Execution {
    const Topology& topology;
    const SimulationOptions& options;
    Routing routing; ///< of the messages, with its classes
    CollectiveContents contents;

    Memories memories_with(std::vector<PlaceUse> uses) const
    {
        return contents.memories_with(std::move(uses));
    }
};

CollectiveContents contents_of(const Collective& collective, const SimulationOptions& options)
{
    return {collective, {options.message_bytes}, options.content_form()};
}

void check(const Execution& execution, const Program& program)
{
    const SimulationOptions& options = execution.options;
    if (options.message_bytes == 0)
        throw std::invalid_argument("message of 0 bytes: it takes at least 1");
    require_words_of_sums(execution.contents.collective(), options.message_bytes);
    for (const ProgramMessage& message : program.messages)
        if (const std::uint64_t flits = options.hardware.flits(message.bytes); flits >= 1ull << 31)
            throw std::invalid_argument(fmt::format(
                "messages of {} bytes: {} flits, fewer than 2^31 are possible", message.bytes, flits));
    if (options.model == NetworkModel::worm && !options.vcd.empty())
        throw std::invalid_argument("model worm: no link traces; use the model flit");
}

/// What a run has of its network, when it is over and its time is known.
void add_network_results(RunResult& run, const MessageNetwork& network, const HardwareConfig& hardware)
{
    run.blocked_cycles = network.blocked_cycles();
    run.credit_wait_cycles = network.credit_wait_cycles();
    run.head_wait_cycles = network.head_wait_cycles();
    run.missing_buffer_flits = missing_buffer_flits(network.topology(), hardware);
    run.flit_hops = network.flit_hops();
    for (std::uint32_t link = 0; link < network.plan().links(); ++link) {
        const double busy_ns = static_cast<double>(network.busy_cycles(link)) * hardware.cycle_ns;
        run.channels.push_back({network.plan().link_name(link), network.flits(link), network.messages(link),
                                run.time_ns > 0 ? busy_ns / run.time_ns : 0});
    }
}

SimulationResult run(const Execution& execution, const Program& program, Memories& memories)
{
    const SimulationOptions& options = execution.options;
    const HardwareConfig& hardware = options.hardware;
    check(execution, program);
    const std::optional<Routing> beside =
        routing_beside(options.background, execution.topology, hardware, execution.routing.vc_classes);
    Routing carried = execution.routing;
    if (beside)
        carried.vc_classes = beside->vc_classes;
    const std::unique_ptr<MessageNetwork> network =
        make_network(options.model, execution.topology, hardware, options.ports, carried);
    std::optional<OccupancyRecorder> recorder;
    if (options.record_occupancy)
        recorder.emplace(*network, hardware.cycle_ns);
    auto* const flits = dynamic_cast<Network*>(network.get());
    if (flits != nullptr && options.observe && !recorder)
        options.observe(*flits);
    std::optional<LinkTrace> trace;
    if (!options.vcd.empty())
        trace.emplace(options.vcd, *flits);

    execution.contents.load(memories);
    DmaMachine machine(*network, hardware, memories);
    machine.begin(program, carried);
    if (beside) {
        BackgroundSources background(*network, *beside, options.ports, *options.background);
        run_beside(background, *network, hardware,
                   {[&] { return machine.is_done(); }, [&] { return machine.messages(); }});
    } else {
        network->drain();
    }
    if (trace)
        trace->close();

    SimulationResult result;
    RunResult& run = result.run;
    run.model = to_string(options.model);
    run.vcs = hardware.vcs;
    run.flit_bytes = hardware.flit_bytes;
    run.cycle_ns = hardware.cycle_ns;
    run.t0_ns = hardware.t0_ns;
    run.message_bytes = options.message_bytes;
    if (machine.messages() > 0)
        run.average_message_latency_cycles =
            static_cast<double>(machine.latency_cycles()) / static_cast<double>(machine.messages());
    run.time_ns = static_cast<double>(machine.end_cycle()) * hardware.cycle_ns;
    if (!machine.is_done()) {
        run.stall = stall_of_engines(*network);
        run.time_ns = run.stall->time_ns;
    }
    add_network_results(run, *network, hardware);
    if (recorder)
        run.occupancy = recorder->take();
    execution.contents.for_each_result([&](const Demand& demand, std::span<const std::uint32_t> owed) {
        ++run.messages_owed;
        run.messages_delivered += execution.contents.holds(memories, demand, owed) ? 1 : 0;
    });
    run.memory_ok = run.messages_delivered == run.messages_owed;
    for (const auto& [begin, end] : machine.steps())
        result.step_times_ns.push_back(end < begin ? 0
                                                   : static_cast<double>(end - begin) * hardware.cycle_ns);
    for (const TaskId task : program.task_of_transfer)
        result.end_ns.push_back(static_cast<double>(machine.task_ends()[task]) * hardware.cycle_ns);
    return result;
}

} // namespace

SimulationResult simulate(const Topology& topology, const Collective& collective, const Workload& workload,
                          const SimulationOptions& options)
{
    const Execution execution{topology, options, routing_of(workload), contents_of(collective, options)};
    const ChunkSizes sizes{options.message_bytes};
    Memories memories = execution.memories_with(places_of(workload, collective, sizes));
    const Program program = program_of(workload, collective, sizes, memories);
    SimulationResult result = run(execution, program, memories);
    result.run.traffic = workload.traffic;
    result.run.routing = workload.routing;
    result.run.selection = selection_taken(routing_of(workload), options.hardware);
    return result;
}

namespace {

/// Of all places of each processor.
std::vector<std::uint64_t> bytes_by_processor(std::vector<PlaceUse> uses, std::uint32_t processors)
{
    std::ranges::sort(uses, std::ranges::greater());
    std::vector<std::uint64_t> bytes(processors, 0);
    for (std::size_t i = 0; i < uses.size(); ++i)
        if (i == 0 || uses[i].processor != uses[i - 1].processor || uses[i].place != uses[i - 1].place)
            bytes[uses[i].processor] += uses[i].bytes;
    return bytes;
}

/// What a processor needs for its places beyond what it needs for those of `named`, at most.
std::uint64_t most_beyond(std::vector<PlaceUse> uses, std::vector<PlaceUse> named, std::uint32_t processors)
{
    const std::vector<std::uint64_t> all = bytes_by_processor(std::move(uses), processors);
    const std::vector<std::uint64_t> of_named = bytes_by_processor(std::move(named), processors);
    std::uint64_t most = 0;
    for (std::size_t id = 0; id < all.size(); ++id)
        most = std::max(most, all[id] - of_named[id]);
    return most;
}

SimulationResult simulate_chunks(const Schedule& schedule, const Topology& topology,
                                 const SimulationOptions& options)
{
    if (options.message_bytes == 0 || options.message_bytes % sizeof(std::uint32_t) != 0)
        throw std::invalid_argument(
            fmt::format("chunks of {} bytes are no whole words of 4", options.message_bytes));
    const LinkNetwork network = link_network_of(topology, options.links);
    const StagedSchedule staged = stage_steps(schedule);
    CollectiveContents contents = contents_of(schedule.collective, options);
    contents.set_placements(schedule.inputs, schedule.outputs);
    const Execution execution{topology, options, {"source routes", 1, {}}, std::move(contents)};
    const ChunkSizes sizes{options.message_bytes};
    Memories memories = execution.memories_with(places_of_chunks(staged.schedule, sizes));
    const Program program =
        program_of_chunks(staged.schedule, topology, network, options.hardware, sizes, memories);
    SimulationResult result = run(execution, program, memories);
    result.run.traffic = "schedule";
    result.run.routing = "source routes";
    const std::vector<double> ends = std::exchange(result.end_ns, {});
    for (const std::uint32_t position : staged.position)
        result.end_ns.push_back(ends[position]);
    result.staging_bytes = most_beyond(places_of_chunks(staged.schedule, sizes),
                                       places_of_chunks(schedule, sizes), schedule.collective.processors);
    return result;
}

} // namespace

namespace {

WantedHardware wanted_by(const Schedule& schedule, const Topology& topology, const SimulationOptions& options)
{
    const LinkNetwork network = link_network_of(topology, options.links);
    return hardware_wanted(
        schedule,
        expected_end_cycles(schedule, topology, network, options.hardware, options.message_bytes)
            .most_at_once,
        topology, network);
}

} // namespace

std::optional<std::string> shortage_of_vcs(const Schedule& schedule, const Topology& topology,
                                           const SimulationOptions& options)
{
    if (!is_between_memories(schedule))
        return std::nullopt;
    const unsigned classes = options.scales_vcs ? options.hardware.vcs : 1;
    const unsigned vcs = fitted_to(schedule, topology, options).hardware.vcs / classes;
    const unsigned share = wanted_by(schedule, topology, options).vcs - 1;
    if (share <= vcs)
        return std::nullopt;
    return fmt::format("up to {} share a link, which has {} virtual channel{}", share, vcs,
                       vcs == 1 ? "" : "s");
}

SimulationOptions fitted_to(const Schedule& schedule, const Topology& topology, SimulationOptions options)
{
    if (!is_between_memories(schedule)) {
        options.ports = schedule.ports;
        return options;
    }
    const WantedHardware wanted = wanted_by(schedule, topology, options);
    options.ports = wanted.ports;
    if (std::exchange(options.scales_vcs, false))
        options.hardware.vcs = std::min(options.hardware.vcs * wanted.vcs, most_vcs);
    return options;
}

SimulationResult simulate(const Schedule& schedule, const Topology& topology, Synchronization synchronization,
                          const SimulationOptions& options)
{
    const SimulationOptions fitted = fitted_to(schedule, topology, options);
    if (is_between_memories(schedule)) {
        if (synchronization == Synchronization::self_timed)
            throw std::invalid_argument(fmt::format("{}: a schedule of chunks has steps with barriers, or "
                                                    "dependencies instead",
                                                    schedule.name));
        return simulate_chunks(schedule, topology, fitted);
    }
    return simulate(topology, schedule.collective, workload_of(schedule, topology, synchronization), fitted);
}

std::uint64_t simulation_bytes(const Schedule& schedule, const Topology& topology,
                               const SimulationOptions& options)
{
    const bool is_of_chunks = is_between_memories(schedule);
    CollectiveContents contents = contents_of(schedule.collective, options);
    contents.set_placements(schedule.inputs, schedule.outputs);
    const ChunkSizes sizes{options.message_bytes};
    constexpr std::uint64_t message_bytes = 450; // its route, its slots and what waits for it, its flight
    const Memories memories = contents.memories_with(
        is_of_chunks ? places_of_chunks(stage_steps(schedule).schedule, sizes)
                     : places_of(workload_of(schedule, topology, Synchronization::barrier),
                                 schedule.collective, sizes));
    std::uint64_t bytes = count_transfers(schedule) * message_bytes;
    for (ProcessorId id = 0; id < schedule.collective.processors; ++id)
        bytes += 2 * memories.bytes_of(id); // and what is under way
    return bytes + network_bytes(options.model, topology, options.hardware,
                                 is_of_chunks ? all_port : schedule.ports, {"source routes", 1, {}});
}

} // namespace nocturne
