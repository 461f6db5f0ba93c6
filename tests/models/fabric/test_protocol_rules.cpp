#include "models/fabric/protocol_rules.hpp"
#include "tests/catch.hpp"
#include "tests/models/fabric/small_platform.hpp"
#include "tests/models/hardware/simulation.hpp"

#include <functional>
#include <sstream>

namespace nocturne::protocol_rules_test {

namespace {

/// A hop between two sockets, played by hand.
struct Hop {
    ProtocolRules rules;
    test::OwnedPayload first{tlm::TLM_WRITE_COMMAND, 0, 1};
    test::OwnedPayload second{tlm::TLM_WRITE_COMMAND, 0, 1};

    static TransportCall call(tlm::tlm_phase_enum phase, double ns = 0)
    {
        return {phase, sc_core::sc_time(ns, sc_core::SC_NS)};
    }
    void begin_request(test::OwnedPayload& payload, double ns = 0)
    {
        rules.forward_call(payload, call(tlm::BEGIN_REQ, ns));
        rules.forward_return(payload, call(tlm::BEGIN_REQ, ns), tlm::TLM_ACCEPTED, call(tlm::BEGIN_REQ, ns));
    }
    void end_request(test::OwnedPayload& payload, double ns = 0)
    {
        rules.backward_call(payload, call(tlm::END_REQ, ns));
        rules.backward_return(payload, call(tlm::END_REQ, ns), tlm::TLM_ACCEPTED, call(tlm::END_REQ, ns));
    }
    void begin_response(test::OwnedPayload& payload, double ns = 0)
    {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        rules.backward_call(payload, call(tlm::BEGIN_RESP, ns));
        rules.backward_return(payload, call(tlm::BEGIN_RESP, ns), tlm::TLM_ACCEPTED,
                              call(tlm::BEGIN_RESP, ns));
    }
    void end_response(test::OwnedPayload& payload, double ns = 0)
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

/// Calls of the first payload, or of the second where the word ends in 2: `BEGIN_REQ`, `END_REQ`,
/// `BEGIN_RESP` and `END_RESP` with their answers, at a time in ns behind @.
void play(Hop& hop, const std::string& calls)
{
    std::istringstream words(calls);
    for (std::string word; words >> word;) {
        const std::size_t at = word.find('@');
        const double ns = at == word.npos ? 0 : std::stod(word.substr(at + 1));
        const bool is_second = word.ends_with('2');
        test::OwnedPayload& payload = is_second ? hop.second : hop.first;
        const std::string call = word.substr(0, is_second ? word.size() - 1 : at);
        call == "BEGIN_REQ"    ? hop.begin_request(payload, ns)
        : call == "END_REQ"    ? hop.end_request(payload, ns)
        : call == "BEGIN_RESP" ? hop.begin_response(payload, ns)
                               : hop.end_response(payload, ns);
    }
}

struct Fault {
    const char* what; ///< part of the one violation
    const char* calls;
    std::function<void(Hop&)> then = [](Hop&) {}; ///< behind them
    const char* at_last = "";                     ///< and behind that
};

} // namespace

TEST_CASE("transactions that keep the rules are no violation, in any number of phases", "[fabric][protocol]")
{
    const test::Simulation simulation;
    Hop hop;
    SECTION("four phases, with the next request inside")
    {
        play(hop, "BEGIN_REQ END_REQ@5 BEGIN_REQ2 BEGIN_RESP@5 END_REQ2 END_RESP@6 BEGIN_RESP2 END_RESP2");
        CHECK(hop.rules.completed() == 2);
    }
    SECTION("a response ends the request phase")
    {
        play(hop, "BEGIN_REQ BEGIN_RESP BEGIN_REQ2");
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
    play(hop, "BEGIN_REQ"); // its request is open
    hop.rules.reset();
    CHECK(hop.rules.in_progress() == 0);
    play(hop, "BEGIN_REQ END_REQ BEGIN_RESP"); // its response is open
    hop.rules.reset();
    hop.first.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    play(hop, "BEGIN_REQ END_REQ BEGIN_RESP END_RESP");
    CHECK(hop.rules.completed() == 1);
    CHECK(hop.rules.violation_count() == 0);
    // A phase of what was dropped is one.
    hop.rules.reset();
    hop.end_request(hop.second);
    CHECK(hop.rules.violation_count() == 1);
}

TEST_CASE("each seeded fault is one violation", "[fabric][protocol]")
{
    const auto forward = [](tlm::tlm_phase_enum phase) {
        return [phase](Hop& hop) { hop.rules.forward_call(hop.first, Hop::call(phase)); };
    };
    const auto backward = [](tlm::tlm_phase_enum phase) {
        return [phase](Hop& hop) { hop.rules.backward_call(hop.first, Hop::call(phase)); };
    };
    const auto answer = [](tlm::tlm_sync_enum of, tlm::tlm_phase_enum phase) {
        return [=](Hop& hop) { hop.answer_request(of, phase); };
    };
    const Fault fault = GENERATE_COPY(values<Fault>({
        {"END_REQ for a request phase that is not open", "BEGIN_REQ END_REQ END_REQ"},
        {"END_REQ for a request phase that is not open", "",
         [](Hop& hop) {
             hop.rules.forward_call(hop.first, Hop::call(tlm::BEGIN_REQ));
             hop.end_request(hop.first); // within the call that then returns it once more
             hop.rules.forward_return(hop.first, Hop::call(tlm::BEGIN_REQ), tlm::TLM_UPDATED,
                                      Hop::call(tlm::END_REQ));
         }},
        {"BEGIN_RESP for a transaction that is not in progress", "BEGIN_RESP"},
        {"BEGIN_RESP before the end of another response phase",
         "BEGIN_REQ END_REQ BEGIN_REQ2 BEGIN_RESP BEGIN_RESP2"},
        {"BEGIN_RESP is earlier than the phase before it", "BEGIN_REQ@10 BEGIN_RESP@9"},
        {"BEGIN_REQ with a payload that is in use", "BEGIN_REQ END_REQ", forward(tlm::BEGIN_REQ)},
        {"BEGIN_REQ before the end of another request phase", "BEGIN_REQ BEGIN_REQ2"},
        {"BEGIN_REQ with a payload that no memory manager keeps", "",
         [](Hop& hop) { hop.first.set_mm(nullptr); }, "BEGIN_REQ"},
        {"END_REQ of a payload without a reference to it", "BEGIN_REQ", [](Hop& hop) { hop.first.release(); },
         "END_REQ"},
        {"attributes have changed before END_REQ", "BEGIN_REQ",
         [](Hop& hop) { hop.first.set_data_ptr(hop.second.data.data()); }, "END_REQ"},
        {"a request whose response status is not TLM_INCOMPLETE_RESPONSE", "",
         [](Hop& hop) { hop.first.set_response_status(tlm::TLM_OK_RESPONSE); }, "BEGIN_REQ"},
        {"a response whose status is TLM_INCOMPLETE_RESPONSE", "BEGIN_REQ", backward(tlm::BEGIN_RESP)},
        {"END_RESP for a response phase that is not open", "BEGIN_REQ END_RESP"},
        {"END_RESP for a transaction that is not in progress", "BEGIN_REQ BEGIN_RESP END_RESP END_RESP"},
        {"TLM_UPDATED for BEGIN_REQ with a phase that cannot follow it", "",
         answer(tlm::TLM_UPDATED, tlm::END_RESP)},
        {"TLM_ACCEPTED with another phase", "", answer(tlm::TLM_ACCEPTED, tlm::END_REQ)},
        {"a phase of the initiator on the backward path", "", backward(tlm::BEGIN_REQ)},
        {"a phase of the target on the forward path", "", forward(tlm::END_REQ)},
        {"byte enables of length 0", "",
         [](Hop& hop) { hop.first.set_byte_enable_ptr(hop.first.data.data()); }, "BEGIN_REQ"},
        {"a streaming width of 0", "", [](Hop& hop) { hop.first.set_streaming_width(0); }, "BEGIN_REQ"},
        {"b_transport from a process that cannot wait", "",
         [](Hop& hop) { hop.rules.blocking_call(hop.first, sc_core::SC_ZERO_TIME); }},
    }));
    const test::Simulation simulation;
    Hop hop;
    play(hop, fault.calls);
    fault.then(hop);
    play(hop, fault.at_last);
    REQUIRE(hop.rules.violation_count() == 1);
    CHECK_THAT(hop.rules.violations().front(), Catch::Contains(fault.what));
}

} // namespace nocturne::protocol_rules_test
