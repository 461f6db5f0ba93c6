// Targets that know only one of the ways to end a response phase, and what is said of those that wait for
// ever.
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/fabric/small_platform.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <tlm_utils/peq_with_get.h>

namespace nocturne::fabric_phases_test {

using test::OwnedPayload;
using test::ScriptedInitiator;

namespace {

/// What ends a response phase for a target.
enum class KnownEnd { call, updated, completed };

/// Four phases, one response phase at a time.
class OneEndTarget final : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> socket{"socket"};

    OneEndTarget(const sc_core::sc_module_name& name, KnownEnd known) : sc_module(name), known_(known)
    {
        socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
        SC_HAS_PROCESS(OneEndTarget);
        SC_THREAD(run);
    }

private:
    void run()
    {
        for (;;) {
            wait(requests_.get_event());
            while (tlm::tlm_generic_payload* const payload = requests_.get_next_transaction())
                answer(*payload);
        }
    }
    void answer(tlm::tlm_generic_payload& payload)
    {
        wait(5, sc_core::SC_NS);
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_core::sc_time delay;
        socket->nb_transport_bw(payload, phase, delay);
        wait(5, sc_core::SC_NS);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        phase = tlm::BEGIN_RESP;
        is_open_ = true;
        const tlm::tlm_sync_enum answer = socket->nb_transport_bw(payload, phase, delay);
        if ((known_ == KnownEnd::updated && answer == tlm::TLM_UPDATED && phase == tlm::END_RESP) ||
            (known_ == KnownEnd::completed && answer == tlm::TLM_COMPLETED))
            is_open_ = false;
        while (is_open_)
            wait(ended_);
    }
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override
    {
        if (phase == tlm::BEGIN_REQ) {
            requests_.notify(payload, delay);
            return tlm::TLM_ACCEPTED;
        }
        if (known_ != KnownEnd::completed) {
            is_open_ = false;
            ended_.notify(delay);
        }
        return tlm::TLM_COMPLETED;
    }
    void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    const KnownEnd known_;
    bool is_open_ = false;
    sc_core::sc_event ended_;
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> requests_{"requests"};
};

constexpr std::size_t transactions = 10;

struct Outcome {
    std::size_t answered = 0;
    std::size_t left = 0;
    std::string waits;
};

Outcome run(const FabricConfig& config, KnownEnd known)
{
    const test::Simulation simulation;
    const Topology topology = make_topology("mesh:2x2");
    Fabric fabric("fabric", topology, AddressMap({{"ram", 0, 0xfff}}), {{{"cpu", 0}}, {{"ram", 3}}}, config);
    ScriptedInitiator cpu("cpu");
    OneEndTarget ram("ram", known);
    cpu.socket.bind(fabric.target_socket<32>("cpu"));
    fabric.initiator_socket<32>("ram").bind(ram.socket);
    std::vector<std::unique_ptr<OwnedPayload>> payloads;
    cpu.script = [&](ScriptedInitiator& self) {
        for (std::size_t i = 0; i < transactions; ++i) {
            payloads.push_back(std::make_unique<OwnedPayload>(tlm::TLM_READ_COMMAND, 4 * i, 4));
            test::begin_request(self, *payloads.back());
            self.wait(100, sc_core::SC_NS);
        }
    };
    test::run_to_end();
    Outcome outcome{0, fabric.in_flight(), fabric.describe_waits()};
    for (const ScriptedInitiator::Call& call : cpu.calls)
        outcome.answered += call.phase == tlm::BEGIN_RESP ? 1u : 0u;
    return outcome;
}

} // namespace

TEST_CASE("END_RESP comes to targets that know it as a call or as TLM_UPDATED; early completion is an option",
          "[fabric][phases]")
{
    FabricConfig config;
    config.timing = GENERATE(FabricTiming::fixed, FabricTiming::lt, FabricTiming::at, FabricTiming::flit);
    config.completes_responses_early = GENERATE(false, true);
    const KnownEnd known = GENERATE(KnownEnd::call, KnownEnd::updated, KnownEnd::completed);
    CAPTURE(to_string(config.timing), config.completes_responses_early, static_cast<int>(known));
    const Outcome outcome = run(config, known);
    if (config.completes_responses_early == (known == KnownEnd::completed)) {
        CHECK(outcome.answered == transactions);
        CHECK(outcome.left == 0);
        CHECK(outcome.waits.empty());
    } else { // the first one is answered, and the target waits for the end of its response
        CHECK(outcome.answered == 1);
        CHECK(outcome.left > 0);
        CHECK_THAT(outcome.waits, Catch::Contains("END_REQ or BEGIN_RESP of target 'ram'"));
        if (config.completes_responses_early)
            CHECK_THAT(outcome.waits, Catch::Contains("whose last response was ended by TLM_COMPLETED"));
    }
}

TEST_CASE("transactions in flight are a warning when nothing is left to do, and only then",
          "[fabric][phases]")
{
    const bool target_answers = GENERATE(true, false);
    const bool runs_to_end = GENERATE(true, false);
    CAPTURE(target_answers, runs_to_end);
    const test::Simulation simulation;
    const Topology topology = make_topology("mesh:2x2");
    std::string message;
    {
        Fabric fabric("fabric", topology, AddressMap({{"ram", 0, 0xfff}}), {{{"cpu", 0}}, {{"ram", 3}}}, {});
        ScriptedInitiator cpu("cpu");
        OneEndTarget ram("ram", target_answers ? KnownEnd::call : KnownEnd::completed);
        cpu.socket.bind(fabric.target_socket<32>("cpu"));
        fabric.initiator_socket<32>("ram").bind(ram.socket);
        OwnedPayload first(tlm::TLM_READ_COMMAND, 0, 4);
        OwnedPayload second(tlm::TLM_READ_COMMAND, 4, 4);
        cpu.script = [&](ScriptedInitiator& self) {
            for (OwnedPayload* const payload : {&first, &second})
                test::begin_request(self, *payload);
            self.wait(1, sc_core::SC_US); // something is pending
        };
        sc_core::sc_start(runs_to_end ? 2 : 0.5, sc_core::SC_US);
        try {
            sc_core::sc_stop();
        } catch (const sc_core::sc_report& report) {
            message = report.get_msg();
        }
    }
    if (!target_answers && runs_to_end)
        CHECK(message ==
              "fabric: no event is pending, but transactions in flight wait forever: 1 for END_REQ or "
              "BEGIN_RESP of target 'ram'");
    else
        CHECK(message.empty());
}

} // namespace nocturne::fabric_phases_test
