#include "testbenches/fabric_timing/speed.hpp"

#include "models/hardware/kernel.hpp"
#include "models/topology/make_topology.hpp"
#include "schedules/workers/workers.hpp"
#include "testbenches/fabric_timing/platform.hpp"

#include <fmt/format.h>

#include <ctime>

namespace nocturne::fabric_timing {

namespace {

/// What a virtual platform has before it has a network: the address chooses the memory, and that is all.
class NullBus final : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> target_socket{"target_socket"};
    sc_core::sc_vector<tlm::tlm_initiator_socket<>> initiator_sockets;

    NullBus(const sc_core::sc_module_name& name, unsigned targets)
        : sc_module(name), initiator_sockets("initiator_socket", targets)
    {
        target_socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
        for (unsigned target = 0; target < targets; ++target)
            initiator_sockets[target].bind(ignored_);
    }

private:
    struct Ignored : tlm::tlm_bw_transport_if<> {
        tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                           sc_core::sc_time&) override
        {
            return tlm::TLM_ACCEPTED;
        }
        void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    };

    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override
    {
        const std::uint64_t address = payload.get_address();
        payload.set_address(address % target_bytes);
        initiator_sockets[address / target_bytes]->b_transport(payload, delay);
        payload.set_address(address);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override
    {
        return tlm::TLM_COMPLETED;
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    Ignored ignored_;
};

constexpr double gap_cycles = 60;
constexpr double usual_quantum_us = 1;

struct Platform {
    std::vector<std::unique_ptr<TrafficInitiator>> initiators;
    std::vector<std::unique_ptr<IdealMemory>> memories;

    Platform(unsigned count, const TrafficPlan& traffic, double cycle_ns)
    {
        for (unsigned id = 0; id < count; ++id) {
            TrafficPlan plan = traffic;
            plan.seed = id + 1;
            initiators.push_back(
                std::make_unique<TrafficInitiator>(fmt::format("cpu_{}", id).c_str(), plan, count, cycle_ns));
            memories.push_back(
                std::make_unique<IdealMemory>(fmt::format("memory_{}", id).c_str(), target_bytes));
        }
    }

    nlohmann::json run() const
    {
        const std::clock_t begin = std::clock();
        run_kernel();
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        std::uint64_t transactions = 0;
        for (const auto& initiator : initiators)
            transactions += initiator->completed();
        return {{"seconds", seconds}, {"transactions", transactions}};
    }
};

nlohmann::json run_null_bus(const Topology& topology, const TrafficPlan& plan)
{
    prepare_kernel();
    const auto count = static_cast<unsigned>(topology.processor_count());
    Platform platform(count, plan, FabricConfig().hardware.cycle_ns);
    // Each initiator has a bus; the memories have as many sockets as there are initiators.
    std::vector<std::unique_ptr<NullBus>> buses;
    std::vector<std::unique_ptr<IdealMemory>> memories;
    for (unsigned id = 0; id < count; ++id) {
        buses.push_back(std::make_unique<NullBus>(fmt::format("bus_{}", id).c_str(), count));
        platform.initiators[id]->socket.bind(buses.back()->target_socket);
        for (unsigned to = 0; to < count; ++to) {
            memories.push_back(
                std::make_unique<IdealMemory>(fmt::format("memory_{}_{}", id, to).c_str(), target_bytes));
            buses.back()->initiator_sockets[to].bind(memories.back()->socket);
        }
    }
    platform.memories.clear();
    return platform.run();
}

nlohmann::json run_fabric(const Topology& topology, const TrafficPlan& plan, FabricTiming timing)
{
    prepare_kernel();
    FabricConfig config;
    config.timing = timing;
    if (plan.asking == Asking::open) // initiators of nb_transport do not wait
        config.requests_in_flight = 1000;
    const auto count = static_cast<unsigned>(topology.processor_count());
    Platform platform(count, plan, config.hardware.cycle_ns);
    Fabric fabric("fabric", topology, map_everywhere(topology), ports_everywhere(topology), config);
    for (unsigned id = 0; id < count; ++id) {
        platform.initiators[id]->socket.bind(fabric.target_socket<32>("cpu " + topology.processor(id).name));
        fabric.initiator_socket<32>("memory " + topology.processor(id).name)
            .bind(platform.memories[id]->socket);
    }
    return platform.run();
}

/// How initiators ask in about so many transactions of all together.
TrafficPlan plan_of(const Topology& topology, double transactions, Asking asking, double round_trip_cycles)
{
    TrafficPlan plan;
    plan.asking = asking;
    plan.gap_cycles = gap_cycles;
    plan.quantum_cycles = usual_quantum_us * 1000 / FabricConfig().hardware.cycle_ns;
    plan.end_cycle = static_cast<std::uint64_t>(transactions * (gap_cycles + round_trip_cycles) /
                                                static_cast<double>(topology.processor_count()));
    return plan;
}

/// `b_transport, quantum 1 us`
std::string with_quantum(double microseconds)
{
    return fmt::format("b_transport, quantum {} us", microseconds);
}

struct Case {
    SpeedRow row;
    Job job;
};

/// One after the other: together they would slow each other.
std::vector<SpeedRow> run_in_turn(const std::vector<Case>& cases)
{
    std::vector<SpeedRow> rows;
    for (const Case& each : cases) {
        const nlohmann::json result = run_jobs(std::span(&each.job, 1)).front();
        rows.push_back(each.row);
        rows.back().seconds = result.at("seconds");
        rows.back().transactions = result.at("transactions");
    }
    return rows;
}

} // namespace

std::vector<SpeedRow> measure_speed(const std::string& specification, std::uint64_t transactions)
{
    const Topology topology = make_topology(specification);
    const auto plan = [&](Asking asking, double part, double round_trip_cycles) {
        return plan_of(topology, static_cast<double>(transactions) * part, asking, round_trip_cycles);
    };
    constexpr double round_trip_cycles = 50; // about; only for how long it runs
    std::vector<Case> cases;
    cases.push_back({{specification, "a bus that does nothing", with_quantum(usual_quantum_us)},
                     [&] { return run_null_bus(topology, plan(Asking::blocking, 1, 0)); }});
    for (const FabricTiming timing :
         {FabricTiming::fixed, FabricTiming::lt, FabricTiming::at, FabricTiming::flit}) {
        const bool runs_ahead = timing == FabricTiming::fixed || timing == FabricTiming::lt;
        const double part = runs_ahead ? 1 : 0.1;
        const double round_trip = timing == FabricTiming::fixed ? 0 : round_trip_cycles;
        for (const double quantum_us : {0.0, 0.1, usual_quantum_us, 10.0, 100.0}) {
            if (!runs_ahead && quantum_us != 0)
                continue; // it waits whatever the quantum
            const double share = quantum_us == 0 ? 0.1 + 0.9 * part / 10 : part;
            cases.push_back({{specification, std::string(to_string(timing)),
                              runs_ahead ? with_quantum(quantum_us) : "b_transport"},
                             [&, timing, share, round_trip, quantum_us] {
                                 TrafficPlan blocking = plan(Asking::blocking, share, round_trip);
                                 blocking.quantum_cycles =
                                     quantum_us * 1000 / FabricConfig().hardware.cycle_ns;
                                 return run_fabric(topology, blocking, timing);
                             }});
        }
        cases.push_back({{specification, std::string(to_string(timing)), "nb_transport"}, [&, timing, part] {
                             return run_fabric(topology, plan(Asking::open, 0.1 * part + 0.1, 0), timing);
                         }});
    }
    return run_in_turn(cases);
}

std::vector<SpeedRow> measure_growth(const std::vector<std::string>& topologies, std::uint64_t transactions)
{
    std::vector<Case> cases;
    for (const std::string& specification : topologies)
        for (const FabricTiming timing : {FabricTiming::fixed, FabricTiming::lt})
            cases.push_back({{specification, std::string(to_string(timing)), with_quantum(usual_quantum_us)},
                             [specification, timing, transactions] {
                                 const Topology topology = make_topology(specification);
                                 return run_fabric(topology,
                                                   plan_of(topology, static_cast<double>(transactions),
                                                           Asking::blocking,
                                                           timing == FabricTiming::fixed ? 0 : 50),
                                                   timing);
                             }});
    return run_in_turn(cases);
}

} // namespace nocturne::fabric_timing
