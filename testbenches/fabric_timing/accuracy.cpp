#include "testbenches/fabric_timing/accuracy.hpp"

#include "models/hardware/kernel.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/workers/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace nocturne::fabric_timing {

namespace {

/// Requests of an initiator come after so many cycles on average, where the most that is answered is looked
/// for: much more than that can be answered makes it less.
constexpr std::array<double, 6> overload_gap_cycles{5, 10, 15, 20, 30, 45};

struct Measurement {
    double answered = 0; ///< transactions of an initiator and cycle
    double latency = 0;  ///< cycles
};

nlohmann::json simulate(const AccuracyCell& cell, FabricTiming timing, const TrafficPlan& traffic)
{
    prepare_kernel();
    const Topology topology = make_topology(cell.topology);
    FabricConfig config;
    config.timing = timing;
    config.hardware.vcs = cell.vcs;
    config.requests_in_flight = 65536;
    Fabric fabric("fabric", topology, map_everywhere(topology), ports_everywhere(topology), config);
    std::vector<std::unique_ptr<TrafficInitiator>> initiators;
    std::vector<std::unique_ptr<IdealMemory>> memories;
    const auto processors = static_cast<unsigned>(topology.processor_count());
    for (unsigned id = 0; id < processors; ++id) {
        TrafficPlan plan = traffic;
        plan.seed = id + 1;
        initiators.push_back(std::make_unique<TrafficInitiator>(fmt::format("cpu_{}", id).c_str(), plan,
                                                                processors, config.hardware.cycle_ns));
        memories.push_back(std::make_unique<IdealMemory>(fmt::format("memory_{}", id).c_str(), target_bytes));
        initiators.back()->socket.bind(fabric.target_socket<32>("cpu " + topology.processor(id).name));
        fabric.initiator_socket<32>("memory " + topology.processor(id).name).bind(memories.back()->socket);
    }
    run_kernel(
        sc_core::sc_time(static_cast<double>(traffic.end_cycle) * config.hardware.cycle_ns, sc_core::SC_NS),
        sc_core::SC_RUN_TO_TIME);
    std::uint64_t transactions = 0;
    double latency_ns = 0;
    for (unsigned from = 0; from < processors; ++from)
        for (unsigned to = 0; to < processors; ++to) {
            transactions += fabric.stats(from, to).transactions;
            latency_ns += fabric.stats(from, to).latency.to_seconds() * 1e9;
        }
    return {
        {"answered", static_cast<double>(transactions) / processors / static_cast<double>(traffic.end_cycle)},
        {"latency", latency_ns / config.hardware.cycle_ns / static_cast<double>(transactions)}};
}

Measurement measurement_of(const nlohmann::json& json)
{
    return {json.at("answered"), json.at("latency")};
}

Job job_of(const AccuracyCell& cell, FabricTiming timing, double gap_cycles, std::uint64_t cycles)
{
    TrafficPlan plan;
    plan.asking = cell.asking;
    plan.gap_cycles = gap_cycles;
    plan.end_cycle = cycles;
    return [cell, timing, plan] { return simulate(cell, timing, plan); };
}

} // namespace

std::vector<AccuracyRow> measure_accuracy(const std::vector<std::string>& topologies, std::uint64_t cycles)
{
    constexpr double idle_round_trip_cycles = 50;
    std::vector<AccuracyCell> ends;
    for (const std::string& topology : topologies)
        ends.push_back({topology, topology.starts_with("mesh") ? 2u : 4u, Asking::open, 1});
    std::vector<Job> jobs;
    for (const AccuracyCell& cell : ends)
        for (const double gap_cycles : overload_gap_cycles)
            jobs.push_back(job_of(cell, FabricTiming::flit, gap_cycles, cycles));
    std::vector<double> highest(ends.size());
    const std::vector<nlohmann::json> overloads = run_jobs(jobs);
    for (std::size_t i = 0; i < overloads.size(); ++i) {
        double& most = highest[i / overload_gap_cycles.size()];
        most = std::max(most, measurement_of(overloads[i]).answered);
    }

    std::vector<AccuracyRow> rows;
    jobs.clear();
    const auto add = [&](const AccuracyCell& cell, double gap_cycles) {
        rows.push_back({cell});
        for (const FabricTiming timing : {FabricTiming::flit, FabricTiming::at, FabricTiming::lt})
            jobs.push_back(job_of(cell, timing, gap_cycles, cycles));
    };
    for (std::size_t i = 0; i < ends.size(); ++i) {
        AccuracyCell cell = ends[i];
        for (const double load : {0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}) {
            cell.load = load;
            add(cell, 1 / (load * highest[i]));
        }
        cell.asking = Asking::blocking;
        for (const double load : {0.2, 0.5, 0.8, 1.0}) {
            cell.load = 1 - load;
            add(cell, std::max(1.0, idle_round_trip_cycles * (1 - load) / load));
        }
    }
    const std::vector<nlohmann::json> results = run_jobs(jobs);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].answered = measurement_of(results[3 * i]).answered;
        rows[i].flit = measurement_of(results[3 * i]).latency;
        rows[i].at = measurement_of(results[3 * i + 1]).latency;
        rows[i].lt = measurement_of(results[3 * i + 2]).latency;
    }
    return rows;
}

} // namespace nocturne::fabric_timing
