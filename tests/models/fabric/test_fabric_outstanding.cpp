// Several outstanding requests, and their limit: timing `lt` beside the routers.
#include "models/fabric/request_limit.hpp"
#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/fabric/small_platform.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <fmt/format.h>

#include <numeric>

namespace nocturne::fabric_outstanding_test {

using test::OwnedPayload;
using test::ScriptedInitiator;

namespace {

constexpr double cycle_ns = 2;
constexpr double run_cycles = 8000;

struct Load {
    std::vector<ProcessorId> initiators;
    ProcessorId memory;
    unsigned outstanding; ///< of each initiator: requests of nb_transport, or threads in b_transport
    unsigned bytes;
    unsigned read_percent;
    bool is_blocking = false;
    unsigned limit = 8;
};

struct Outcome {
    double throughput = 0; ///< transactions a cycle
    double round_trip = 0; ///< mean, cycles
};

tlm::tlm_command draw_command(const Load& load, SplitMix64& random)
{
    return random.below(100) < load.read_percent ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND;
}

void keep_outstanding(const Load& load, ScriptedInitiator& self, SplitMix64& random)
{
    std::vector<std::unique_ptr<OwnedPayload>> payloads; // all of a run, as the fabric uses them
    const auto count = [&](tlm::tlm_phase phase) {
        return static_cast<std::size_t>(
            std::ranges::count(self.calls, phase, &ScriptedInitiator::Call::phase));
    };
    std::size_t withheld = 0; ///< requests that have not ended at once
    while (sc_core::sc_time_stamp() < sc_core::sc_time(run_cycles * cycle_ns, sc_core::SC_NS)) {
        while (payloads.size() - count(tlm::BEGIN_RESP) < load.outstanding &&
               withheld == count(tlm::END_REQ)) {
            payloads.push_back(std::make_unique<OwnedPayload>(draw_command(load, random), 0, load.bytes));
            withheld += test::begin_request(self, *payloads.back()) == tlm::TLM_ACCEPTED;
        }
        self.wait(cycle_ns, sc_core::SC_NS);
    }
    self.wait(2 * run_cycles * cycle_ns, sc_core::SC_NS);
}

void keep_blocking(const Load& load, ScriptedInitiator& self, SplitMix64& random)
{
    for (unsigned thread = 0; thread < load.outstanding; ++thread)
        sc_core::sc_spawn([&load, &self, &random] {
            while (sc_core::sc_time_stamp() < sc_core::sc_time(run_cycles * cycle_ns, sc_core::SC_NS)) {
                OwnedPayload payload(draw_command(load, random), 0, load.bytes);
                sc_core::sc_time delay;
                self.socket->b_transport(payload, delay);
                sc_core::wait(delay);
            }
        });
}

Outcome run(const Load& load, FabricTiming timing)
{
    const test::Simulation simulation;
    const Topology topology = make_topology("mesh:4x4");
    FabricPorts ports{{}, {{"ram", load.memory}}};
    for (const ProcessorId at : load.initiators)
        ports.initiators.push_back({fmt::format("i{}", at), at});
    FabricConfig config;
    config.timing = timing;
    config.requests_in_flight = load.limit;
    config.records_transactions = true;
    Fabric fabric("fabric", topology, AddressMap({{"ram", 0, 0xfff}}), ports, config);
    Memory ram("ram", 4096);
    fabric.initiator_socket<32>("ram").bind(ram.socket);
    std::vector<std::unique_ptr<ScriptedInitiator>> initiators;
    SplitMix64 random(1);
    for (const FabricPort& port : ports.initiators) {
        initiators.push_back(std::make_unique<ScriptedInitiator>(port.name.c_str()));
        initiators.back()->socket.bind(fabric.target_socket<32>(port.name));
        initiators.back()->script = [&](ScriptedInitiator& self) {
            (load.is_blocking ? keep_blocking : keep_outstanding)(load, self, random);
        };
    }
    sc_core::sc_start(run_cycles * cycle_ns, sc_core::SC_NS);
    // Threads in b_transport run ahead: what ends later is not of this run.
    Outcome outcome;
    for (const FabricTransaction& each : fabric.transactions())
        if (each.ended <= sc_core::sc_time_stamp()) {
            outcome.throughput += 1;
            outcome.round_trip += (each.ended - each.began).to_seconds() * 1e9 / cycle_ns;
        }
    outcome.round_trip /= outcome.throughput;
    outcome.throughput /= run_cycles;
    sc_core::sc_start(11 * run_cycles * cycle_ns, sc_core::SC_NS); // threads that do not end leak
    return outcome;
}

void compare(const Load& load)
{
    const Outcome flit = run(load, FabricTiming::flit);
    const Outcome lt = run(load, FabricTiming::lt);
    CAPTURE(load.initiators, load.memory, load.outstanding, load.bytes, load.read_percent, load.limit);
    CHECK(lt.throughput == Approx(flit.throughput).epsilon(0.08));
    CHECK(lt.round_trip == Approx(flit.round_trip).epsilon(0.10));
}

} // namespace

TEST_CASE("several outstanding requests at one memory have the throughput and round trip of the routers",
          "[fabric][outstanding]")
{
    const std::vector<ProcessorId> initiators =
        GENERATE(std::vector<ProcessorId>{0, 1, 2, 3}, std::vector<ProcessorId>{1, 4, 6, 9});
    for (const ProcessorId memory : {5u, 15u})
        for (const unsigned read_percent : {0u, 50u, 100u})
            compare({initiators, memory, 8, 64, read_percent});
}

TEST_CASE("threads of an initiator in b_transport have as many requests in flight as it may",
          "[fabric][outstanding]")
{
    for (const unsigned limit : {1u, 2u, 4u, 8u})
        for (const unsigned threads : {2u, 8u, 16u})
            compare({{0}, 15, threads, 64, 50, true, limit});
}

TEST_CASE("a limit of requests in flight holds at every time, for those who run ahead too",
          "[fabric][outstanding]")
{
    SplitMix64 random(5);
    const unsigned most = GENERATE(1u, 2u, 5u);
    RequestLimit limit(most);
    struct Flight {
        std::uint64_t begin, end;
    };
    std::vector<Flight> flights;
    bool has_waited = false;
    for (unsigned round = 0; round < 300; ++round) {
        const std::uint64_t now = round;
        const std::uint64_t from = now + random.below(20);
        const std::uint64_t begin = limit.admit(from, now);
        // At once if fewer are there, otherwise when the first one that makes it fewer ends.
        for (std::uint64_t at = from; at <= begin; ++at) {
            const auto there = static_cast<unsigned>(std::ranges::count_if(
                flights, [at](const Flight& flight) { return flight.begin <= at && at < flight.end; }));
            CHECK((there < most) == (at == begin));
        }
        has_waited = has_waited || begin > from;
        flights.push_back({begin, begin + 1 + random.below(4)});
        limit.note(flights.back().begin, flights.back().end, now);
    }
    CHECK(has_waited);
}

} // namespace nocturne::fabric_outstanding_test
