// Transactions that do not come to their end, and threads that wait for each other.
#include "models/fabric/protocol_checker.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/fabric/small_platform.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <tlm_utils/peq_with_cb_and_phase.h>

namespace nocturne::fabric_reset_test {

using test::OwnedPayload;
using test::ScriptedInitiator;

namespace {

constexpr double cycle_ns = 2;

sc_core::sc_time cycles(unsigned count)
{
    return sc_core::sc_time(count * cycle_ns, sc_core::SC_NS);
}

/// A target that takes its time in every phase, and may throw.
class SlowTarget final : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> socket{"socket"};
    bool throws = false;
    unsigned blocking_calls = 0;

    explicit SlowTarget(const sc_core::sc_module_name& name)
        : sc_module(name), phases_(this, &SlowTarget::continue_phases)
    {
        socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    }

    void reset() { phases_.cancel_all(); }

private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override
    {
        ++blocking_calls;
        wait(cycles(10));
        if (throws)
            throw std::runtime_error("the target");
        payload.set_dmi_allowed(true);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        wait(cycles(10));
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time&) override
    {
        if (phase != tlm::BEGIN_REQ)
            return tlm::TLM_COMPLETED;
        payload.set_dmi_allowed(true);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        phases_.notify(payload, tlm::END_REQ, cycles(5));
        return tlm::TLM_ACCEPTED;
    }
    void continue_phases(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& due)
    {
        tlm::tlm_phase phase = due;
        sc_core::sc_time delay;
        socket->nb_transport_bw(payload, phase, delay);
        if (due == tlm::END_REQ)
            phases_.notify(payload, tlm::BEGIN_RESP, cycles(5));
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    tlm_utils::peq_with_cb_and_phase<SlowTarget> phases_;
};

/// One initiator, one target, at opposite corners of a mesh.
struct Pair {
    explicit Pair(const FabricConfig& config)
    {
        fabric = std::make_unique<Fabric>("fabric", make_topology("mesh:2x2"),
                                          AddressMap({{"slow", 0x1000, 0x1fff}}),
                                          FabricPorts{{{"cpu", 0}}, {{"slow", 3}}}, config);
        cpu.socket.bind(at_cpu.target_socket);
        at_cpu.initiator_socket.bind(fabric->target_socket<32>("cpu"));
        fabric->initiator_socket<32>("slow").bind(at_target.target_socket);
        at_target.initiator_socket.bind(target.socket);
    }

    /// One transaction; its time passes.
    void transact()
    {
        OwnedPayload payload(tlm::TLM_WRITE_COMMAND, 0x1000, 16);
        sc_core::sc_time delay;
        cpu.socket->b_transport(payload, delay);
        sc_core::wait(delay);
        CHECK(payload.get_address() == 0x1000);
        CHECK(payload.is_response_ok());
        CHECK_FALSE(payload.is_dmi_allowed()); // nothing is granted
    }

    std::unique_ptr<Fabric> fabric;
    ScriptedInitiator cpu{"cpu"};
    SlowTarget target{"target"};
    ProtocolChecker<> at_cpu{"at_cpu"};
    ProtocolChecker<> at_target{"at_target"};
};

FabricConfig with_timing(FabricTiming timing)
{
    FabricConfig config = test::with_timing(timing);
    config.fixed_latency_ns = 20;
    return config;
}

FabricTiming any_timing()
{
    return GENERATE(FabricTiming::fixed, FabricTiming::lt, FabricTiming::at, FabricTiming::flit);
}

} // namespace

TEST_CASE("threads in b_transport are served in the order in which they came", "[fabric][reset]")
{
    FabricConfig config = with_timing(GENERATE(FabricTiming::at, FabricTiming::flit));
    config.requests_in_flight = GENERATE(1u, 8u);
    CAPTURE(to_string(config.timing), config.requests_in_flight);
    const test::Simulation simulation;
    Pair platform(config);
    constexpr unsigned threads = 20;
    std::vector<unsigned> served(threads);
    for (unsigned id = 0; id < threads; ++id)
        sc_core::sc_spawn([&, id] {
            while (sc_core::sc_time_stamp() < cycles(9000)) {
                platform.transact();
                ++served[id];
            }
        });
    // A request of nb_transport in between is one more.
    OwnedPayload payload(tlm::TLM_READ_COMMAND, 0x1000, 4);
    std::vector<unsigned> served_before;
    sc_core::sc_spawn([&] {
        sc_core::wait(cycles(1000));
        CHECK(test::begin_request(platform.cpu, payload) == tlm::TLM_ACCEPTED);
        served_before = served;
        while (platform.cpu.calls.empty())
            sc_core::wait(cycles(1));
        CHECK(platform.cpu.calls[0].phase == tlm::END_REQ);
        for (unsigned id = 0; id < threads; ++id)
            CHECK(served[id] <= served_before[id] + 1);
    });
    sc_core::sc_start(cycles(12000)); // all threads have ended
    const auto [least, most] = std::ranges::minmax(served);
    CHECK(least > 5);
    CHECK(most - least <= 1);
    CHECK(platform.cpu.calls.size() == 2);
}

TEST_CASE("a thread that is reset, killed or thrown at leaves nothing behind, whatever it waits for",
          "[fabric][reset]")
{
    FabricConfig config = with_timing(any_timing());
    config.requests_in_flight = 2;
    enum class End { reset, kill, exception };
    const End end = GENERATE(End::reset, End::kill, End::exception);
    CAPTURE(to_string(config.timing), static_cast<int>(end));
    const test::Simulation simulation;
    Pair platform(config);
    unsigned rounds = 0;
    platform.cpu.script = [&](ScriptedInitiator&) {
        for (unsigned moment = 0; moment < 120; moment += 3) {
            unsigned begun = 0;
            std::vector<sc_core::sc_process_handle> victims;
            for (unsigned i = 0; i < 4; ++i) // the last two wait for a slot
                victims.push_back(sc_core::sc_spawn([&] {
                    if (begun++ >= 4)
                        return; // again after a reset
                    try {
                        platform.transact();
                    } catch (const std::runtime_error&) {
                        return;
                    }
                }));
            sc_core::wait(cycles(moment));
            for (sc_core::sc_process_handle& victim : victims) {
                if (victim.terminated())
                    continue;
                if (end == End::reset)
                    victim.reset();
                else if (end == End::kill)
                    victim.kill();
                else
                    victim.throw_it(std::runtime_error("thrown at"));
            }
            if (moment % 2 == 0) // at once, or when packets have arrived
                sc_core::wait(cycles(200));
            platform.transact();
            platform.transact();
            sc_core::wait(cycles(200));
            CHECK(platform.fabric->in_flight() == 0);
            CHECK(platform.at_cpu.rules().in_progress() == 0);
            ++rounds;
        }
    };
    test::run_to_end();
    CHECK(rounds == 40);
    CHECK(platform.at_cpu.rules().violations().empty());
}

TEST_CASE("a target that throws ends its transaction and no other", "[fabric][reset]")
{
    const FabricConfig config = with_timing(any_timing());
    CAPTURE(to_string(config.timing));
    const test::Simulation simulation;
    Pair platform(config);
    unsigned caught = 0;
    platform.cpu.script = [&](ScriptedInitiator&) {
        for (unsigned i = 0; i < 20; ++i) {
            platform.target.throws = i % 2 == 0;
            OwnedPayload payload(tlm::TLM_READ_COMMAND, 0x1010, 4);
            try {
                sc_core::sc_time delay;
                platform.cpu.socket->b_transport(payload, delay);
            } catch (const std::runtime_error& error) {
                CHECK(error.what() == std::string("the target"));
                ++caught;
            }
            CHECK(payload.get_address() == 0x1010);
        }
    };
    test::run_to_end();
    CHECK(caught == 10);
    CHECK(platform.fabric->in_flight() == 0);
    CHECK(platform.at_cpu.rules().in_progress() == 0);
    CHECK(platform.at_cpu.rules().completed() == 10);
    CHECK(platform.at_cpu.rules().violations().empty());
}

TEST_CASE("a fabric that is reset drops the transactions of nb_transport at any moment", "[fabric][reset]")
{
    FabricConfig config = with_timing(any_timing());
    const bool waits = config.timing == FabricTiming::at || config.timing == FabricTiming::flit;
    config.requests_in_flight = waits ? 3 : 2; // where b_transport waits it is one of them
    config.target_queue_packets = 1;
    if (config.timing == FabricTiming::fixed)
        config.phases = GENERATE(FabricPhases::by_fabric, FabricPhases::end_to_end);
    CAPTURE(to_string(config.timing), static_cast<int>(config.phases));
    const test::Simulation simulation;
    Pair platform(config);
    std::vector<std::unique_ptr<OwnedPayload>> payloads;
    for (unsigned i = 0; i < 3; ++i)
        payloads.push_back(std::make_unique<OwnedPayload>(tlm::TLM_READ_COMMAND, 0x1000 + 4 * i, 4));
    const auto ask = [&] {
        std::uint64_t address = 0x1000;
        for (const auto& payload : payloads) {
            payload->set_address(std::exchange(address, address + 4)); // a bus leaves the target's
            test::begin_request(platform.cpu, *payload);               // the third one waits
        }
    };
    const auto responses = [&] {
        return std::ranges::count(platform.cpu.calls, tlm::tlm_phase(tlm::BEGIN_RESP),
                                  &ScriptedInitiator::Call::phase);
    };
    unsigned rounds = 0;
    unsigned done = 0;
    platform.cpu.script = [&](ScriptedInitiator&) {
        sc_core::sc_process_handle thread = sc_core::sc_spawn([&] { // is not concerned
            for (;; ++done)
                platform.transact();
        });
        for (unsigned moment = 0; moment < 120; ++moment) {
            ask();
            sc_core::wait(cycles(moment));
            platform.fabric->reset();
            platform.target.reset();
            platform.at_cpu.reset();
            platform.at_target.reset();
            CHECK(platform.at_cpu.rules().in_progress() <= 1); // the thread's
            const std::size_t calls = platform.cpu.calls.size();
            const unsigned done_before = done;
            for (const auto& payload : payloads) {
                CHECK(payload->get_ref_count() == 1);
                if (config.phases == FabricPhases::by_fabric)
                    CHECK(payload->get_address() / 16 == 0x100);
            }
            sc_core::wait(cycles(300));
            CHECK(platform.cpu.calls.size() == calls);
            CHECK(done > done_before);
            CHECK(platform.fabric->in_flight() <= 1); // the thread's
            ++rounds;
        }
        const auto before = responses();
        ask();
        sc_core::wait(cycles(1000));
        CHECK(responses() == before + 3);
        for (const auto& payload : payloads)
            CHECK_FALSE(payload->is_dmi_allowed());
        thread.kill();
        sc_core::wait(cycles(300));
        CHECK(platform.fabric->in_flight() == 0);
    };
    test::run_to_end();
    CHECK(rounds == 120);
}

} // namespace nocturne::fabric_reset_test
