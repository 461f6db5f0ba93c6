#include "sim/simulation/simulate.hpp"

#include "models/hardware/kernel.hpp"
#include "models/hardware/network_plan.hpp"
#include "sim/simulation/buffer_need.hpp"
#include "sim/simulation/occupancy.hpp"
#include "sim/simulation/simulate_worm.hpp"
#include "sim/simulation/stalls.hpp"
#include "sim/simulation/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace nocturne {

namespace {

Stall explain_stall(System& system)
{
    const std::size_t processors = system.network().topology().processor_count();
    for (ProcessorId id = 0; id < processors; ++id)
        if (!system.engine(id).error().empty())
            return {in_ns(sc_core::sc_time_stamp()), system.engine(id).error(), {}};
    return stall_of_engines(system.network());
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

std::uint64_t messages_arrived(const System& system, std::size_t processors)
{
    std::uint64_t sum = 0;
    for (ProcessorId id = 0; id < processors; ++id)
        sum += system.engine(id).messages();
    return sum;
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
    const std::optional<Routing> beside =
        routing_beside(options.background, topology, options.hardware, workload.vc_classes);
    System system("system", topology, options.hardware, options.ports, workload, compiled,
                  HostProgram::run_once, beside ? beside->vc_classes : workload.vc_classes);
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
        recorder.emplace(system.network(), options.hardware.cycle_ns);
    else if (options.observe)
        options.observe(system.network());
    sc_core::sc_trace_file* const trace = options.vcd.empty() ? nullptr : open_trace(options.vcd, system);

    if (background)
        run_beside(*background, system.network(), options.hardware,
                   {[&] { return system.host().done() == topology.processor_count(); },
                    [&] { return messages_arrived(system, topology.processor_count()); }});
    else
        system.network().drain();

    if (trace != nullptr)
        close_trace(trace, options.vcd);
    SimulationResult result;
    RunResult& run = result.run;
    run.traffic = workload.traffic;
    run.routing = workload.routing;
    run.selection = selection_taken(routing_of(workload), options.hardware);
    run.message_bytes = options.message_bytes;
    run.average_message_latency_cycles = average_latency(system, topology.processor_count());
    run.time_ns = end_time_ns(system, topology.processor_count());
    if (system.host().done() < topology.processor_count()) {
        run.stall = explain_stall(system);
        run.time_ns = run.stall->time_ns;
    }
    add_network_results(run, system.network(), options.hardware);
    if (recorder)
        run.occupancy = recorder->take();
    check_memories(system, collective, compiled, options, run);
    result.step_times_ns = step_times(system, topology.processor_count());
    return result;
}

} // namespace nocturne
