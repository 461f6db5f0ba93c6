#include "testbenches/soc_platform/experiment.hpp"

#include "models/energy/energy.hpp"
#include "models/fabric/fabric_activity.hpp"
#include "models/fabric/fabric_plan.hpp"
#include "models/hardware/kernel.hpp"
#include "models/network/zero_load.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/workers/workers.hpp"
#include "testbenches/soc_platform/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace nocturne::soc_platform {

namespace {

/// To the picojoule: the same for every compiler.
double in_nj(double pj)
{
    return std::round(pj) / 1000;
}

/// From when the last processor is ready until the last goes on, over all phases with the exchanges' names.
double exchange_time(const TileWorkload& workload, const Platform& platform)
{
    double sum = 0;
    for (const TileExchange& exchange : workload.exchanges) {
        sc_core::sc_time begin;
        sc_core::sc_time end;
        for (unsigned tile = 0; tile < platform.tiles(); ++tile)
            for (const Phase& phase : platform.processor(tile).phases())
                if (phase.name == exchange.name) {
                    begin = std::max(begin, phase.begin);
                    end = std::max(end, phase.end);
                }
        sum += in_ns(end - begin);
    }
    return sum;
}

nlohmann::json simulate(const Run& run, const TileWorkload& workload, PlatformConfig config,
                        const EnergyTable& table)
{
    prepare_kernel();
    config.fabric.timing = run.timing;
    config.fabric.records_transactions = run.has_timeline;
    config.background.gap_cycles = run.background_gap_cycles;
    Platform platform("platform", config, [&](Cpu& processor) {
        workload.program(processor, [&](std::size_t which) {
            take_part(processor, workload.exchanges, which, run.communication);
        });
    });
    workload.load(platform);
    load_programs(workload.exchanges, platform);
    std::optional<ChannelWatch> watch;
    if (run.has_timeline)
        watch.emplace(platform);
    run_kernel();
    double end_ns = 0;
    for (unsigned tile = 0; tile < platform.tiles(); ++tile)
        end_ns = std::max(end_ns, in_ns(platform.processor(tile).end()));
    const HardwareConfig& hardware = config.fabric.hardware;
    const NetworkEnergy energy =
        network_energy(platform.fabric().plan().network, one_port, fabric_activity(platform.fabric()), table,
                       {hardware.flit_bytes, hardware.cycle_ns});
    const RouterEnergy routers = energy.all_routers();
    std::string timeline;
    if (watch) {
        std::vector<TimelineSpan> spans = timeline_of(platform);
        spans.insert(spans.end(), watch->spans().begin(), watch->spans().end());
        timeline = timeline_json(spans);
    }
    return {{"exchanges_ns", exchange_time(workload, platform)},
            {"program_ns", end_ns},
            {"moving_nj", in_nj(energy.total_pj() - routers.clock - routers.leakage)},
            {"energy_nj", in_nj(energy.total_pj())},
            {"error", workload.find_error(platform)},
            {"timeline", timeline}};
}

std::uint64_t step_count(const TileWorkload& workload)
{
    std::uint64_t steps = 0;
    for (const TileExchange& exchange : workload.exchanges)
        steps += exchange.steps.size();
    return steps;
}

std::string label_of(const Run& run)
{
    const bool is_busy = run.background_gap_cycles > 0;
    return fmt::format("{}{}", to_string(run.communication), is_busy ? ", background traffic" : "");
}

} // namespace

std::vector<Run> runs_of(const std::vector<std::string>& workloads, const PlatformConfig& config)
{
    constexpr std::array communications{Communication::schedule, Communication::engines,
                                        Communication::in_order, Communication::writes};
    std::vector<Run> runs;
    for (const std::string& workload : workloads) {
        for (const FabricTiming timing : {FabricTiming::flit, FabricTiming::at, FabricTiming::lt})
            for (const Communication communication : communications)
                runs.push_back({workload, timing, communication, 0});
        for (const Communication communication : communications)
            runs.push_back({workload, FabricTiming::flit, communication, config.background.gap_cycles});
    }
    return runs;
}

void carry_out(std::span<Run> runs, const PlatformConfig& config, const EnergyTable& energy)
{
    config.validate();
    const Topology topology = make_topology(config.topology);
    const Routing routing = make_routing(topology, config.fabric.routing);
    std::vector<TileWorkload> workloads;
    workloads.reserve(runs.size()); // jobs refer to them
    std::vector<Job> jobs;
    for (Run& run : runs) {
        if (workloads.empty() || workloads.back().name != run.workload)
            workloads.push_back(make_workload(run.workload, topology, routing));
        const TileWorkload& workload = workloads.back();
        run.message_bytes = workload.message_bytes;
        if (run.communication == Communication::schedule) {
            run.steps = step_count(workload);
            run.model_ns = model_time(workload, config);
            run.zero_load_ns = zero_load_time(workload, topology, config);
        }
        jobs.emplace_back([&] { return simulate(run, workload, config, energy); });
    }
    const std::vector<nlohmann::json> results = run_jobs(jobs);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        runs[i].exchanges_ns = results[i].at("exchanges_ns");
        runs[i].program_ns = results[i].at("program_ns");
        runs[i].moving_nj = results[i].at("moving_nj");
        runs[i].energy_nj = results[i].at("energy_nj");
        runs[i].error = results[i].at("error");
        runs[i].timeline = results[i].at("timeline");
    }
}

double model_time(const TileWorkload& workload, const PlatformConfig& config)
{
    const double t0 = config.times.copy_start_ns + config.times.barrier_ns;
    const double t1 = config.fabric.hardware.t1_ns_per_byte();
    return (t0 + static_cast<double>(workload.message_bytes) * t1) *
           static_cast<double>(step_count(workload));
}

double zero_load_time(const TileWorkload& workload, const Topology& topology, const PlatformConfig& config)
{
    const FabricPorts ports = platform_ports(topology);
    const FabricPlan plan = plan_fabric(topology, ports, config.fabric);
    const HardwareConfig& hardware = config.fabric.hardware;
    const auto initiators = static_cast<std::uint32_t>(ports.initiators.size() / ports.targets.size());
    std::uint64_t cycles = 0;
    for (const TileExchange& exchange : workload.exchanges)
        for (const std::vector<Copy>& step : exchange.steps) {
            std::uint64_t longest = 0;
            for (const Copy& copy : step) {
                const FlowId flow = plan.flow(copy.from * initiators + 1, copy.to); // the DMA engine's
                longest = std::max(
                    longest, zero_load_cycles(plan.network, hardware, plan.route(Leg::request, flow),
                                              hardware.flits(config.fabric.header_bytes + copy.bytes)) +
                                 zero_load_cycles(plan.network, hardware, plan.route(Leg::response, flow),
                                                  hardware.flits(config.fabric.header_bytes)));
            }
            cycles += longest;
        }
    const PartTimes& times = config.times;
    const double register_ns = times.local_access_ns + times.local_word_ns;
    return static_cast<double>(cycles) * hardware.cycle_ns +
           static_cast<double>(step_count(workload)) * (times.copy_start_ns + times.barrier_ns) +
           static_cast<double>(workload.exchanges.size()) * 5 * register_ns;
}

Table table_of(std::span<const Run> runs)
{
    Table table{"Programs on the platform",
                {{"workload", "", Align::left},
                 {"timing", "", Align::left},
                 {"messages", "", Align::left},
                 {"background", "", Align::left},
                 {"size", "bytes"},
                 {"steps", ""},
                 {"model", "ns"},
                 {"zero load", "ns"},
                 {"exchanges", "ns"},
                 {"program", "ns"},
                 {"moving", "nJ"},
                 {"network", "nJ"},
                 {"result", "", Align::left}},
                {}};
    for (const Run& run : runs) {
        const bool has_steps = run.communication == Communication::schedule;
        const auto if_steps = [&](Cell cell) { return has_steps ? cell : Cell{}; };
        table.add_row(
            {run.workload, std::string(to_string(run.timing)), std::string(to_string(run.communication)),
             std::string(run.background_gap_cycles > 0 ? "yes" : "no"), run.message_bytes,
             if_steps(run.steps), if_steps(Real{run.model_ns, 0}), if_steps(Real{run.zero_load_ns, 0}),
             Real{run.exchanges_ns, 0}, Real{run.program_ns, 0}, Real{run.moving_nj, 0},
             Real{run.energy_nj, 0}, run.error.empty() ? "right" : run.error});
    }
    return table;
}

std::vector<std::string> contradictions(std::span<const Run> runs)
{
    std::vector<std::string> found;
    for (const Run& run : runs) {
        const std::string name =
            fmt::format("{}, {}, {}", run.workload, to_string(run.timing), label_of(run));
        if (!run.error.empty())
            found.push_back(fmt::format("{}: {}", name, run.error));
        if (run.communication == Communication::schedule && run.background_gap_cycles == 0 &&
            run.timing != FabricTiming::lt && std::abs(run.exchanges_ns - run.zero_load_ns) > 0.5)
            found.push_back(fmt::format("{}: {} ns, and not {} ns as without contention", name,
                                        run.exchanges_ns, run.zero_load_ns));
    }
    return found;
}

} // namespace nocturne::soc_platform
