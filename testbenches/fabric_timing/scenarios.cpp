#include "testbenches/fabric_timing/scenarios.hpp"

#include "models/hardware/kernel.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/workers/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace nocturne::fabric_timing {

namespace {

std::vector<ProcessorId> first_processors(unsigned count)
{
    std::vector<ProcessorId> result(count);
    std::iota(result.begin(), result.end(), 0);
    return result;
}

TrafficPlan blocking(unsigned bytes, double gap_cycles, double quantum_cycles = 0)
{
    TrafficPlan plan;
    plan.asking = Asking::blocking;
    plan.least_bytes = plan.most_bytes = bytes;
    plan.gap_cycles = gap_cycles;
    plan.quantum_cycles = quantum_cycles;
    return plan;
}

TrafficPlan window(unsigned bytes, unsigned outstanding, double gap_cycles = 0)
{
    TrafficPlan plan = blocking(bytes, gap_cycles);
    plan.asking = Asking::window;
    plan.outstanding = outstanding;
    return plan;
}

TrafficPlan threads(unsigned count, unsigned bytes, double gap_cycles)
{
    TrafficPlan plan = blocking(bytes, gap_cycles);
    plan.threads = count;
    return plan;
}

/// Of the transactions that have ended by then: initiators in b_transport run ahead.
std::uint64_t most_flits_on_a_link(const Fabric& fabric, const sc_core::sc_time& end)
{
    const FabricPlan& plan = fabric.plan();
    const std::size_t injection = plan.network.channel_count();
    const std::size_t ejection = injection + plan.network.processor_count();
    std::vector<std::uint64_t> flits(ejection + plan.network.processor_count());
    for (const FabricTransaction& transaction : fabric.transactions()) {
        if (transaction.ended > end)
            continue;
        for (const Leg leg : {Leg::request, Leg::response}) {
            const std::uint32_t moved =
                leg == Leg::request ? transaction.request_flits : transaction.response_flits;
            flits[injection + plan.source(leg, transaction.flow)] += moved;
            for (const Hop& hop : plan.route(leg, transaction.flow))
                flits[hop.channel] += moved;
            flits[ejection + plan.destination(leg, transaction.flow)] += moved;
        }
    }
    return std::ranges::max(flits);
}

nlohmann::json simulate(const Scenario& scenario, FabricTiming timing, std::uint64_t cycles)
{
    prepare_kernel();
    const Topology topology = make_topology(scenario.topology);
    FabricConfig config;
    config.timing = timing;
    const bool is_open = std::ranges::any_of(
        scenario.groups, [](const Scenario::Group& group) { return group.plan.asking == Asking::open; });
    if (is_open) // they do not wait for END_REQ
        config.requests_in_flight = 65536;
    config.records_transactions = true;
    FabricPorts ports;
    std::vector<AddressRange> ranges;
    std::vector<std::unique_ptr<TrafficInitiator>> initiators;
    std::vector<std::unique_ptr<IdealMemory>> memories;
    for (const ProcessorId at : scenario.memories) {
        const std::string name = fmt::format("memory_{}", at);
        const std::uint64_t first = memories.size() * target_bytes;
        ports.targets.push_back({name, at});
        ranges.push_back({name, first, first + target_bytes - 1});
        memories.push_back(std::make_unique<IdealMemory>(name.c_str(), target_bytes));
    }
    for (const Scenario::Group& group : scenario.groups)
        for (const ProcessorId at : group.processors) {
            TrafficPlan plan = group.plan;
            plan.seed = initiators.size() + 1;
            plan.end_cycle = cycles;
            const std::string name = fmt::format("initiator_{}", initiators.size());
            ports.initiators.push_back({name, at});
            initiators.push_back(std::make_unique<TrafficInitiator>(
                name.c_str(), plan, static_cast<unsigned>(memories.size()), config.hardware.cycle_ns));
        }
    Fabric fabric("fabric", topology, AddressMap(ranges), ports, config);
    for (std::size_t i = 0; i < initiators.size(); ++i)
        initiators[i]->socket.bind(fabric.target_socket<32>(ports.initiators[i].name));
    for (std::size_t i = 0; i < memories.size(); ++i)
        fabric.initiator_socket<32>(ports.targets[i].name).bind(memories[i]->socket);
    const sc_core::sc_time end(static_cast<double>(cycles) * config.hardware.cycle_ns, sc_core::SC_NS);
    run_kernel(end, sc_core::SC_RUN_TO_TIME);
    std::uint64_t transactions = 0;
    double latency_ns = 0;
    for (unsigned from = 0; from < scenario.groups[0].processors.size(); ++from)
        for (unsigned to = 0; to < memories.size(); ++to) {
            transactions += fabric.stats(from, to).transactions;
            latency_ns += fabric.stats(from, to).latency.to_seconds() * 1e9;
        }
    const std::uint64_t most_flits = most_flits_on_a_link(fabric, end);
    // Where requests pile up the latency is that of the run's length.
    const double mean_in_flight = latency_ns / config.hardware.cycle_ns / static_cast<double>(cycles);
    const auto in_flight = static_cast<double>(fabric.in_flight());
    return {{"is_steady", in_flight <= 10 + 1.5 * mean_in_flight},
            {"latency", latency_ns / config.hardware.cycle_ns / static_cast<double>(transactions)},
            {"hottest", static_cast<double>(most_flits) / static_cast<double>(cycles)}};
}

} // namespace

std::vector<Scenario> named_scenarios()
{
    const std::string mesh = "mesh:4x4";
    const std::vector<ProcessorId> eight = first_processors(8);
    const std::vector<ProcessorId> sixteen = first_processors(16);
    std::vector<Scenario> result;
    for (const double gap : {400.0, 200.0, 120.0, 80.0, 60.0, 40.0, 0.0})
        result.push_back({fmt::format("8 processors, 1 memory, 64 B, gap {:.0f}", gap),
                          mesh,
                          {{eight, blocking(64, gap)}},
                          {15}});
    for (const unsigned percent : {0u, 100u})
        for (const double gap : {120.0, 40.0, 0.0}) {
            TrafficPlan plan = blocking(64, gap);
            plan.read_percent = percent;
            result.push_back({fmt::format("8 processors, 1 memory, {} of 64 B, gap {:.0f}",
                                          percent == 0 ? "writes" : "reads", gap),
                              mesh,
                              {{eight, plan}},
                              {15}});
        }
    for (const double gap : {1600.0, 800.0, 400.0, 0.0})
        result.push_back({fmt::format("8 processors, 1 memory, 256 B, gap {:.0f}", gap),
                          mesh,
                          {{eight, blocking(256, gap)}},
                          {15}});
    for (const double quantum : {100.0, 500.0, 2000.0, 10000.0})
        for (const double gap : {200.0, 80.0, 0.0})
            result.push_back(
                {fmt::format("8 processors, 1 memory, 64 B, gap {:.0f}, quantum {:.0f}", gap, quantum),
                 mesh,
                 {{eight, blocking(64, gap, quantum)}},
                 {15}});
    for (const unsigned outstanding : {1u, 2u, 4u, 8u})
        result.push_back({fmt::format("1 initiator with {} outstanding, 1 memory, 64 B", outstanding),
                          mesh,
                          {{{0}, window(64, outstanding)}},
                          {15}});
    result.push_back(
        {"1 initiator with 8 outstanding, 4 memories, 64 B", mesh, {{{0}, window(64, 8)}}, {3, 5, 12, 15}});
    for (const auto& [where, initiators, memory] :
         {std::tuple{"in a row", std::vector<ProcessorId>{0, 1, 2, 3}, ProcessorId{15}},
          std::tuple{"round it", std::vector<ProcessorId>{1, 4, 6, 9}, ProcessorId{5}}})
        for (const unsigned percent : {0u, 50u, 100u}) {
            TrafficPlan plan = window(64, 8);
            plan.read_percent = percent;
            result.push_back({fmt::format("4 initiators {} with 8 outstanding, 1 memory, {} % reads of 64 B",
                                          where, percent),
                              mesh,
                              {{initiators, plan}},
                              {memory}});
        }
    for (const double gap : {0.0, 100.0, 400.0})
        result.push_back(
            {fmt::format("1 initiator with 8 outstanding beside a DMA of 256 B, gap {:.0f}", gap),
             mesh,
             {{{0}, window(64, 8)}, {{3}, blocking(256, gap)}},
             {15}});
    for (const double gap : {200.0, 80.0})
        result.push_back({fmt::format("a processor beside a DMA of 256 B, 4 outstanding, gap {:.0f}", gap),
                          mesh,
                          {{{0}, blocking(64, 20)}, {{3}, window(256, 4, gap)}},
                          {15}});
    for (const double gap : {1000.0, 400.0, 200.0, 0.0})
        result.push_back({fmt::format("16 threads of one socket, 4 memories, 64 B, gap {:.0f}", gap),
                          mesh,
                          {{{0}, threads(16, 64, gap)}},
                          {3, 5, 12, 15}});
    for (const double gap : {400.0, 200.0, 100.0, 0.0})
        result.push_back({fmt::format("16 processors, 16 memories, 64 B, gap {:.0f}", gap),
                          mesh,
                          {{sixteen, blocking(64, gap)}},
                          sixteen});
    for (const double gap : {100.0, 0.0})
        result.push_back({fmt::format("16 processors, 16 memories, 64 B, gap {:.0f}, quantum 1000", gap),
                          mesh,
                          {{sixteen, blocking(64, gap, 1000)}},
                          sixteen});
    for (const double gap : {0.0, 200.0})
        result.push_back({fmt::format("16 initiators with 4 outstanding, 16 memories, 64 B, gap {:.0f}", gap),
                          mesh,
                          {{sixteen, window(64, 4, gap)}},
                          sixteen});
    for (const double gap : {300.0, 100.0, 0.0})
        result.push_back({fmt::format("8 processors of a ring, 2 memories, 64 B, gap {:.0f}", gap),
                          "ring:8",
                          {{eight, blocking(64, gap)}},
                          {2, 5}});
    return result;
}

std::vector<ScenarioRow> measure_scenarios(const std::vector<Scenario>& scenarios, std::uint64_t cycles)
{
    std::vector<ScenarioRow> rows;
    std::vector<Job> jobs;
    for (const Scenario& scenario : scenarios) {
        rows.push_back({scenario});
        for (const FabricTiming timing : {FabricTiming::flit, FabricTiming::lt, FabricTiming::lt})
            jobs.push_back([scenario, timing, cycles] { return simulate(scenario, timing, cycles); });
    }
    const std::vector<nlohmann::json> results = run_jobs(jobs);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].flit = results[3 * i].at("latency");
        rows[i].hottest_link = results[3 * i].at("hottest");
        rows[i].is_steady = results[3 * i].at("is_steady");
        rows[i].lt = results[3 * i + 1].at("latency");
        rows[i].lt_hottest_link = results[3 * i + 1].at("hottest");
        if (results[3 * i + 1] != results[3 * i + 2])
            throw std::logic_error(fmt::format("{}: two runs with lt differ", scenarios[i].name));
    }
    return rows;
}

} // namespace nocturne::fabric_timing
