#include "models/fabric/protocol_rules.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <functional>

namespace nocturne::protocol_rules_test {

namespace {

struct KeptPayload : tlm::tlm_generic_payload, tlm::tlm_mm_interface {
    KeptPayload()
    {
        set_mm(this);
        acquire();
        set_command(tlm::TLM_WRITE_COMMAND);
        set_data_ptr(&byte);
        set_data_length(1);
        set_streaming_width(1);
    }
    void free(tlm::tlm_generic_payload*) override {}
    unsigned char byte = 0;
};

/// A hop between two sockets, played by hand.
struct Hop {
    ProtocolRules rules;
    KeptPayload first;
    KeptPayload second;

    static TransportCall call(tlm::tlm_phase_enum phase, double ns = 0)
    {
        return {phase, sc_core::sc_time(ns, sc_core::SC_NS)};
    }
    void begin_request(KeptPayload& payload, double ns = 0)
    {
        rules.forward_call(payload, call(tlm::BEGIN_REQ, ns));
        rules.forward_return(payload, call(tlm::BEGIN_REQ, ns), tlm::TLM_ACCEPTED, call(tlm::BEGIN_REQ, ns));
    }
    void end_request(KeptPayload& payload, double ns = 0)
    {
        rules.backward_call(payload, call(tlm::END_REQ, ns));
        rules.backward_return(payload, call(tlm::END_REQ, ns), tlm::TLM_ACCEPTED, call(tlm::END_REQ, ns));
    }
    void begin_response(KeptPayload& payload, double ns = 0)
    {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        rules.backward_call(payload, call(tlm::BEGIN_RESP, ns));
        rules.backward_return(payload, call(tlm::BEGIN_RESP, ns), tlm::TLM_ACCEPTED,
                              call(tlm::BEGIN_RESP, ns));
    }
    void end_response(KeptPayload& payload, double ns = 0)
    {
        rules.forward_call(payload, call(tlm::END_RESP, ns));
        rules.forward_return(payload, call(tlm::END_RESP, ns), tlm::TLM_COMPLETED, call(tlm::END_RESP, ns));
    }
    void answer_request(tlm::tlm_sync_enum answer, tlm::tlm_phase_enum phase)
    {
        rules.forward_call(first, call(tlm::BEGIN_REQ));
        rules.forward_return(first, call(tlm::BEGIN_REQ), answer, call(phase));
    }
};

struct Fault {
    const char* what; ///< part of the one violation
    std::function<void(Hop&)> play;
};

} // namespace

TEST_CASE("transactions that keep the rules are no violation, in any number of phases", "[fabric][protocol]")
{
    const test::Simulation simulation;
    Hop hop;
    SECTION("four phases, with the next request inside")
    {
        hop.begin_request(hop.first);
        hop.end_request(hop.first, 5);
        hop.begin_request(hop.second);
        hop.begin_response(hop.first, 5);
        hop.end_request(hop.second);
        hop.end_response(hop.first, 6);
        hop.begin_response(hop.second);
        hop.end_response(hop.second);
        CHECK(hop.rules.completed() == 2);
    }
    SECTION("a response ends the request phase")
    {
        hop.begin_request(hop.first);
        hop.begin_response(hop.first);
        hop.begin_request(hop.second);
        CHECK(hop.rules.in_progress() == 2);
    }
    SECTION("two phases")
    {
        hop.first.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        hop.answer_request(tlm::TLM_UPDATED, tlm::END_REQ);
        hop.begin_response(hop.first);
        hop.end_response(hop.first);
        CHECK(hop.rules.completed() == 1);
    }
    for (const std::string& violation : hop.rules.violations())
        UNSCOPED_INFO(violation);
    CHECK(hop.rules.violation_count() == 0);
}

TEST_CASE("after a reset payloads may be used again, and threads in b_transport go on", "[fabric][protocol]")
{
    const test::Simulation simulation;
    Hop hop;
    hop.begin_request(hop.first); // its request is open
    hop.rules.reset();
    CHECK(hop.rules.in_progress() == 0);
    hop.begin_request(hop.first);
    hop.end_request(hop.first);
    hop.begin_response(hop.first); // its response is open
    hop.rules.reset();
    hop.first.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    hop.begin_request(hop.first);
    hop.end_request(hop.first);
    hop.begin_response(hop.first);
    hop.end_response(hop.first);
    CHECK(hop.rules.completed() == 1);
    CHECK(hop.rules.violation_count() == 0);
    // A phase of what was dropped is one.
    hop.rules.reset();
    hop.end_request(hop.second);
    CHECK(hop.rules.violation_count() == 1);
}

TEST_CASE("each seeded fault is one violation", "[fabric][protocol]")
{
    const Fault fault = GENERATE(values<Fault>({
        {"END_REQ for a request phase that is not open",
         [](Hop& hop) {
             hop.begin_request(hop.first);
             hop.end_request(hop.first);
             hop.end_request(hop.first);
         }},
        {"END_REQ for a request phase that is not open",
         [](Hop& hop) {
             hop.rules.forward_call(hop.first, Hop::call(tlm::BEGIN_REQ));
             hop.end_request(hop.first); // within the call that then returns it once more
             hop.rules.forward_return(hop.first, Hop::call(tlm::BEGIN_REQ), tlm::TLM_UPDATED,
                                      Hop::call(tlm::END_REQ));
         }},
        {"BEGIN_RESP for a transaction that is not in progress",
         [](Hop& hop) { hop.begin_response(hop.first); }},
        {"BEGIN_RESP before the end of another response phase",
         [](Hop& hop) {
             hop.begin_request(hop.first);
             hop.end_request(hop.first);
             hop.begin_request(hop.second);
             hop.begin_response(hop.first);
             hop.begin_response(hop.second);
         }},
        {"BEGIN_RESP is earlier than the phase before it",
         [](Hop& hop) {
             hop.begin_request(hop.first, 10);
             hop.begin_response(hop.first, 9);
         }},
        {"BEGIN_REQ with a payload that is in use",
         [](Hop& hop) {
             hop.begin_request(hop.first);
             hop.end_request(hop.first);
             hop.rules.forward_call(hop.first, Hop::call(tlm::BEGIN_REQ));
         }},
        {"BEGIN_REQ before the end of another request phase",
         [](Hop& hop) {
             hop.begin_request(hop.first);
             hop.begin_request(hop.second);
         }},
        {"BEGIN_REQ with a payload that no memory manager keeps",
         [](Hop& hop) {
             hop.first.set_mm(nullptr);
             hop.begin_request(hop.first);
         }},
        {"END_REQ of a payload without a reference to it",
         [](Hop& hop) {
             hop.begin_request(hop.first);
             hop.first.release();
             hop.end_request(hop.first);
         }},
        {"attributes have changed before END_REQ",
         [](Hop& hop) {
             hop.begin_request(hop.first);
             hop.first.set_data_ptr(&hop.second.byte);
             hop.end_request(hop.first);
         }},
        {"a request whose response status is not TLM_INCOMPLETE_RESPONSE",
         [](Hop& hop) {
             hop.first.set_response_status(tlm::TLM_OK_RESPONSE);
             hop.begin_request(hop.first);
         }},
        {"a response whose status is TLM_INCOMPLETE_RESPONSE",
         [](Hop& hop) {
             hop.begin_request(hop.first);
             hop.rules.backward_call(hop.first, Hop::call(tlm::BEGIN_RESP));
         }},
        {"END_RESP for a response phase that is not open",
         [](Hop& hop) {
             hop.begin_request(hop.first);
             hop.end_response(hop.first);
         }},
        {"END_RESP for a transaction that is not in progress",
         [](Hop& hop) {
             hop.begin_request(hop.first);
             hop.begin_response(hop.first);
             hop.end_response(hop.first);
             hop.end_response(hop.first);
         }},
        {"TLM_UPDATED for BEGIN_REQ with a phase that cannot follow it",
         [](Hop& hop) { hop.answer_request(tlm::TLM_UPDATED, tlm::END_RESP); }},
        {"TLM_ACCEPTED with another phase",
         [](Hop& hop) { hop.answer_request(tlm::TLM_ACCEPTED, tlm::END_REQ); }},
        {"a phase of the initiator on the backward path",
         [](Hop& hop) { hop.rules.backward_call(hop.first, Hop::call(tlm::BEGIN_REQ)); }},
        {"a phase of the target on the forward path",
         [](Hop& hop) { hop.rules.forward_call(hop.first, Hop::call(tlm::END_REQ)); }},
        {"byte enables of length 0",
         [](Hop& hop) {
             hop.first.set_byte_enable_ptr(&hop.first.byte);
             hop.begin_request(hop.first);
         }},
        {"a streaming width of 0",
         [](Hop& hop) {
             hop.first.set_streaming_width(0);
             hop.begin_request(hop.first);
         }},
        {"b_transport from a process that cannot wait",
         [](Hop& hop) { hop.rules.blocking_call(hop.first, sc_core::SC_ZERO_TIME); }},
    }));
    const test::Simulation simulation;
    Hop hop;
    fault.play(hop);
    REQUIRE(hop.rules.violation_count() == 1);
    CHECK_THAT(hop.rules.violations().front(), Catch::Contains(fault.what));
}

} // namespace nocturne::protocol_rules_test
