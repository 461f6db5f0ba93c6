#include "sim/simulation/simulate.hpp"

#include "models/hardware/kernel.hpp"
#include "sim/simulation/buffer_need.hpp"
#include "sim/simulation/run_workload.hpp"
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

sc_core::sc_trace_file* open_trace(const std::filesystem::path& path, const Network& network)
{
    sc_core::sc_trace_file* const trace =
        sc_core::sc_create_vcd_trace_file(std::filesystem::path(path).replace_extension().c_str());
    trace->set_time_unit(1, sc_core::SC_PS);
    for (const auto& link : network.links())
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

/// The flit level: a System, whose memories are compared at the end.
class SystemRun {
public:
    SystemRun(const Topology& topology, const Collective& collective, const Workload& workload,
              const SimulationOptions& options, const VcClasses& vc_classes)
        : options_(options), collective_(collective),
          compiled_(compile_dma_programs(workload, collective, options.message_bytes, options.payload)),
          system_("system", topology, options.hardware, options.ports, workload, compiled_,
                  HostProgram::run_once, vc_classes),
          processors_(topology.processor_count())
    {
        for (ProcessorId id = 0; id < processors_; ++id)
            system_.memory(id).load(
                0, options.payload == PayloadForm::digest
                       ? initial_digests(compiled_[id], id, collective,
                                         {options.message_bytes, options.hardware.flit_bytes, options.seed})
                       : initial_memory(compiled_[id], id, collective, options.message_bytes, options.seed));
    }

    Network& network() { return system_.network(); }
    void begin()
    {
        if (options_.observe && !options_.record_occupancy)
            options_.observe(network());
        if (!options_.vcd.empty())
            trace_ = open_trace(options_.vcd, network());
    }
    void end()
    {
        if (trace_ != nullptr)
            close_trace(trace_, options_.vcd);
    }
    bool is_done() const { return system_.host().done() == processors_; }

    std::uint64_t messages() const
    {
        return sum([](const DmaEngine& engine) { return engine.messages(); });
    }
    std::uint64_t latency_cycles() const
    {
        return sum([](const DmaEngine& engine) { return engine.latency_cycles(); });
    }

    double end_ns() const
    {
        sc_core::sc_time end;
        for_each_step([&](std::size_t, const DmaEngine::StepTime& step) { end = std::max(end, step.end); });
        return in_ns(end);
    }

    std::vector<double> step_times_ns() const
    {
        std::vector<DmaEngine::StepTime> steps;
        for_each_step([&](std::size_t step, const DmaEngine::StepTime& time) {
            if (step == steps.size())
                steps.push_back(time);
            steps[step] = {std::min(steps[step].begin, time.begin), std::max(steps[step].end, time.end)};
        });
        std::vector<double> result;
        for (const auto& [begin, end] : steps)
            result.push_back(end < begin ? 0 : in_ns(end - begin));
        return result;
    }

    Stall stall()
    {
        for (ProcessorId id = 0; id < processors_; ++id)
            if (!system_.engine(id).error().empty())
                return {in_ns(sc_core::sc_time_stamp()), system_.engine(id).error(), {}};
        return stall_of_engines(network());
    }

    /// What lies at the end at the place of a message that is owed.
    std::vector<std::uint8_t> content_of(const Demand& demand) const
    {
        if (options_.payload == PayloadForm::held)
            return owed_content(collective_, demand, options_.message_bytes, options_.seed);
        const PayloadDigest digest = digest_of_message(owed_key(collective_, demand, options_.seed),
                                                       options_.message_bytes, options_.hardware.flit_bytes);
        std::vector<std::uint8_t> bytes(sizeof digest);
        std::memcpy(bytes.data(), &digest, sizeof digest);
        return bytes;
    }

    bool holds(const Demand& demand, const std::vector<std::uint8_t>& content)
    {
        const std::optional<std::uint32_t> address = compiled_[demand.receiver].address_of(demand.chunk);
        if (!address)
            return false; // it is not sent
        return std::ranges::equal(
            content, system_.memory(demand.receiver).contents().subspan(*address, content.size()));
    }

private:
    template <class Count>
    std::uint64_t sum(const Count& count) const
    {
        std::uint64_t sum = 0;
        for (ProcessorId id = 0; id < processors_; ++id)
            sum += count(system_.engine(id));
        return sum;
    }

    template <class Visit>
    void for_each_step(const Visit& visit) const
    {
        for (ProcessorId id = 0; id < processors_; ++id) {
            const std::vector<DmaEngine::StepTime>& times = system_.engine(id).step_times();
            for (std::size_t step = 0; step < times.size(); ++step)
                visit(step, times[step]);
        }
    }

    const SimulationOptions& options_;
    const Collective& collective_;
    const std::vector<CompiledEngine> compiled_;
    System system_;
    const std::size_t processors_;
    sc_core::sc_trace_file* trace_ = nullptr;
};

} // namespace

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

SimulationResult simulate(const Topology& topology, const Collective& collective, const Workload& workload,
                          const SimulationOptions& options)
{
    if (options.model == NetworkModel::worm)
        return simulate_worm(topology, collective, workload, options);
    prepare_kernel();
    const std::optional<Routing> beside =
        routing_beside(options.background, topology, options.hardware, workload.vc_classes);
    SystemRun run(topology, collective, workload, options, beside ? beside->vc_classes : workload.vc_classes);
    return run_workload(run, beside, collective, workload, options);
}

} // namespace nocturne
