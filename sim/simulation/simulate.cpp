#include "sim/simulation/simulate.hpp"

#include "models/hardware/kernel.hpp"
#include "models/routing/make_routing.hpp"
#include "sim/simulation/buffer_need.hpp"
#include "sim/simulation/network_run.hpp"
#include "sim/simulation/simulate_worm.hpp"
#include "sim/simulation/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>

namespace nocturne {

namespace {

/// Keeps the interval for which each message held each virtual channel.
class OccupancyRecorder final : public LinkObserver {
public:
    explicit OccupancyRecorder(Network& network) : network_(network)
    {
        for (const auto& link : network.links())
            link->observe(*this);
    }

    void head_enters(std::uint32_t link, unsigned vc, PacketId, Cycle at) override
    {
        begin_[{link, vc}] = at;
    }
    void tail_enters(std::uint32_t link, unsigned vc, PacketId id, Cycle at) override
    {
        const Packet& packet = network_.packets()[id];
        if (packet.client != 0)
            return; // background traffic
        const auto name = [&](ProcessorId processor) {
            return network_.topology().processor(processor).name;
        };
        const double cycle = network_.config().cycle_ns;
        occupancy_.push_back(
            {network_.link_name(link), fmt::format("{}>{}", name(packet.source), name(packet.destination)),
             packet.step + 1, static_cast<double>(begin_.at({link, vc})) * cycle,
             static_cast<double>(at + network_.links()[link]->config().cycles_per_flit) * cycle, link});
    }
    std::vector<ChannelOccupancy> take() { return std::move(occupancy_); }

private:
    Network& network_;
    std::map<std::pair<std::uint32_t, unsigned>, Cycle> begin_;
    std::vector<ChannelOccupancy> occupancy_;
};

Stall explain_stall(System& system, const NetworkRun& run)
{
    const std::size_t processors = system.network().topology().processor_count();
    for (ProcessorId id = 0; id < processors; ++id)
        if (!system.engine(id).error().empty())
            return {in_ns(sc_core::sc_time_stamp()), system.engine(id).error(), {}};
    return run.stall().value_or(
        Stall{in_ns(sc_core::sc_time_stamp()),
              "the network is empty, but DMA engines wait for messages that no engine sends",
              {}});
}

/// What lies at the end at the place of a message that is owed.
std::vector<std::uint8_t> right_place(const Collective& collective, const Demand& demand,
                                      const SimulationOptions& options)
{
    if (options.payload == PayloadForm::held)
        return owed_content(collective, demand, options.message_bytes, options.seed);
    const PayloadDigest digest = digest_of_message(owed_key(collective, demand, options.seed),
                                                   options.message_bytes, options.hardware.flit_bytes);
    std::vector<std::uint8_t> bytes(sizeof digest);
    std::memcpy(bytes.data(), &digest, sizeof digest);
    return bytes;
}

void check_memories(System& system, const Collective& collective, const std::vector<CompiledEngine>& compiled,
                    const SimulationOptions& options, RunResult& run)
{
    std::vector<std::uint8_t> content;
    const Demand* before = nullptr;
    for (const Demand& demand : collective.demands) {
        if (before == nullptr || !have_same_content(*before, demand))
            content = right_place(collective, demand, options);
        before = &demand;
        ++run.messages_owed;
        const std::optional<std::uint32_t> address = compiled[demand.receiver].address_of(demand.chunk);
        if (!address)
            continue; // it is not sent
        const auto place = system.memory(demand.receiver).contents().subspan(*address, content.size());
        if (std::equal(content.begin(), content.end(), place.begin()))
            ++run.messages_delivered;
    }
    run.memory_ok = run.messages_delivered == run.messages_owed;
}

std::vector<double> step_times(const System& system, std::size_t processors)
{
    std::vector<sc_core::sc_time> begin;
    std::vector<sc_core::sc_time> end;
    for (ProcessorId id = 0; id < processors; ++id) {
        const auto& times = system.engine(id).step_times();
        for (std::size_t step = 0; step < times.size(); ++step) {
            if (step == begin.size()) {
                begin.push_back(times[step].begin);
                end.push_back(times[step].end);
            }
            begin[step] = std::min(begin[step], times[step].begin);
            end[step] = std::max(end[step], times[step].end);
        }
    }
    std::vector<double> result;
    for (std::size_t step = 0; step < begin.size(); ++step)
        result.push_back(end[step] < begin[step] ? 0 : in_ns(end[step] - begin[step]));
    return result;
}

double end_time_ns(const System& system, std::size_t processors)
{
    sc_core::sc_time end;
    for (ProcessorId id = 0; id < processors; ++id)
        for (const auto& step : system.engine(id).step_times())
            end = std::max(end, step.end);
    return in_ns(end);
}

std::vector<ChannelUse> channel_use(Network& network, double time_ns)
{
    std::vector<ChannelUse> result;
    for (std::uint32_t link = 0; link < network.links().size(); ++link) {
        const Link& wire = *network.links()[link];
        const double busy_ns =
            static_cast<double>(wire.flits() * wire.config().cycles_per_flit) * network.config().cycle_ns;
        result.push_back(
            {network.link_name(link), wire.flits(), wire.packets(), time_ns > 0 ? busy_ns / time_ns : 0});
    }
    return result;
}

/// The cycles after which a collective in which no message arrives is given up, start-up times besides: only
/// beside background traffic, which keeps the network from standing still.
constexpr std::uint64_t most_idle_cycles = 1'000'000;

std::uint64_t messages_arrived(const System& system, std::size_t processors)
{
    std::uint64_t sum = 0;
    for (ProcessorId id = 0; id < processors; ++id)
        sum += system.engine(id).messages();
    return sum;
}

/// Until the collective is over, or goes on no more.
void run_beside(BackgroundSources& background, System& system, NetworkRun& run,
                const HardwareConfig& hardware)
{
    const std::size_t processors = system.network().topology().processor_count();
    const double timeouts =
        static_cast<double>(most_idle_cycles) + 10 * static_cast<double>(hardware.start_up_cycles());
    std::uint64_t arrived = 0;
    double idle_cycles = 0;
    while (system.host().done() < processors && idle_cycles < timeouts) {
        run.run_to(system.network().domain().now() + 1000);
        if (run.deadlock())
            break; // it is still there, and explained, when all else has come to its end
        const std::uint64_t now = messages_arrived(system, processors);
        idle_cycles = now == arrived ? idle_cycles + 1000 : 0;
        arrived = now;
    }
    background.stop();
    if (sc_core::sc_pending_activity())
        run_kernel();
    if (const std::string error = background.error();
        !error.empty() && system.network().packets().in_flight() == 0)
        throw std::logic_error("background traffic: " + error);
}

double average_latency(const System& system, std::size_t processors)
{
    std::uint64_t cycles = 0;
    for (ProcessorId id = 0; id < processors; ++id)
        cycles += system.engine(id).latency_cycles();
    const std::uint64_t messages = messages_arrived(system, processors);
    return messages == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(messages);
}

sc_core::sc_trace_file* open_trace(const std::filesystem::path& path, System& system)
{
    sc_core::sc_trace_file* const trace =
        sc_core::sc_create_vcd_trace_file(std::filesystem::path(path).replace_extension().c_str());
    trace->set_time_unit(1, sc_core::SC_PS);
    for (const auto& link : system.network().links())
        link->trace_activity(trace);
    return trace;
}

/// SystemC does not say whether it could write: the last words of the file are there, or something before
/// them is not either.
void close_trace(sc_core::sc_trace_file* trace, const std::filesystem::path& path)
{
    const std::string last_words = "the end of the trace";
    sc_core::sc_write_comment(trace, last_words);
    sc_core::sc_close_vcd_trace_file(trace);
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    std::string tail(std::min<std::size_t>(file ? static_cast<std::size_t>(file.tellg()) : 0, 200), ' ');
    file.seekg(-static_cast<std::streamoff>(tail.size()), std::ios::end);
    if (!file.read(tail.data(), static_cast<std::streamsize>(tail.size())) ||
        tail.find(last_words) == std::string::npos)
        throw std::runtime_error(fmt::format(
            "{}: the trace could not be written to its end; the disk may be full", path.string()));
}

} // namespace

SimulationResult simulate(const Topology& topology, const Collective& collective, const Workload& workload,
                          const SimulationOptions& options)
{
    if (options.model == NetworkModel::worm)
        return simulate_worm(topology, collective, workload, options);
    prepare_kernel();
    const std::vector<CompiledEngine> compiled =
        compile_dma_programs(workload, collective, options.message_bytes, options.payload);
    std::optional<Routing> beside;
    VcClasses other_classes = 0;
    if (options.background) {
        Routing routing = make_routing(topology, options.background->routing, options.background->seed,
                                       options.hardware.path_cost_on(topology));
        other_classes = routing.vc_classes;
        beside = with_vc_class_offset(std::move(routing), workload.vc_classes);
    }
    System system("system", topology, options.hardware, options.ports, workload, compiled,
                  HostProgram::run_once, other_classes);
    std::optional<BackgroundSources> background;
    if (options.background)
        background.emplace(system.network(), *beside, options.ports, *options.background);
    for (ProcessorId id = 0; id < topology.processor_count(); ++id)
        system.memory(id).load(
            0, options.payload == PayloadForm::digest
                   ? initial_digests(compiled[id], id, collective,
                                     {options.message_bytes, options.hardware.flit_bytes, options.seed})
                   : initial_memory(compiled[id], id, collective, options.message_bytes, options.seed));
    std::optional<OccupancyRecorder> recorder;
    if (options.record_occupancy)
        recorder.emplace(system.network());
    else if (options.observe)
        options.observe(system.network());
    sc_core::sc_trace_file* const trace = options.vcd.empty() ? nullptr : open_trace(options.vcd, system);

    NetworkRun network_run(system.network());
    if (background)
        run_beside(*background, system, network_run, options.hardware);
    else
        network_run.drain();

    if (trace != nullptr)
        close_trace(trace, options.vcd);
    SimulationResult result;
    RunResult& run = result.run;
    run.traffic = workload.traffic;
    run.routing = workload.routing;
    run.message_bytes = options.message_bytes;
    run.blocked_cycles = system.network().blocked_cycles();
    run.credit_wait_cycles = system.network().credit_wait_cycles();
    run.missing_buffer_flits = missing_buffer_flits(topology, options.hardware);
    run.flit_hops = system.network().flit_hops();
    run.average_message_latency_cycles = average_latency(system, topology.processor_count());
    run.time_ns = end_time_ns(system, topology.processor_count());
    if (system.host().done() < topology.processor_count()) {
        run.stall = explain_stall(system, network_run);
        run.time_ns = run.stall->time_ns;
    }
    run.channels = channel_use(system.network(), run.time_ns);
    if (recorder)
        run.occupancy = recorder->take();
    check_memories(system, collective, compiled, options, run);
    result.step_times_ns = step_times(system, topology.processor_count());
    return result;
}

} // namespace nocturne
