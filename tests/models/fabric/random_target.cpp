#include "tests/models/fabric/random_target.hpp"

#include "tests/models/fabric/plain_memory.hpp"

namespace nocturne::test {

RandomTarget::RandomTarget(const sc_core::sc_module_name& name, const Config& config)
    : sc_module(name), config_(config), random_(config.seed), bytes_(config.bytes)
{
    socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    SC_HAS_PROCESS(RandomTarget);
    SC_THREAD(end_requests);
    SC_THREAD(respond);
}

sc_core::sc_time RandomTarget::draw_delay()
{
    // Often none: what happens at one time is where mistakes are.
    const unsigned ns = random_.below(2) == 0 ? 0 : random_.below(config_.most_delay_ns + 1);
    return sc_core::sc_time(ns, sc_core::SC_NS);
}

void RandomTarget::execute(tlm::tlm_generic_payload& payload)
{
    ++requests_;
    if (payload.get_address() + std::min(payload.get_streaming_width(), payload.get_data_length()) >
        bytes_.size()) {
        error_ = "an address that is not of this target";
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    access_plain_memory(bytes_, payload, payload.get_address());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void RandomTarget::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    execute(payload);
    delay += draw_delay();
    if (random_.below(16) == 0) { // a target may synchronize
        wait(delay);
        delay = sc_core::SC_ZERO_TIME;
    }
}

tlm::tlm_sync_enum RandomTarget::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                 sc_core::sc_time& delay)
{
    if (phase == tlm::END_RESP) {
        if (!response_is_open_)
            error_ = "END_RESP without a response";
        response_is_open_ = false;
        response_ended_.notify(delay);
        return tlm::TLM_COMPLETED;
    }
    execute(payload);
    const TargetPhases phases =
        config_.phases == TargetPhases::any ? static_cast<TargetPhases>(random_.below(3)) : config_.phases;
    if (phases == TargetPhases::one) {
        delay += draw_delay();
        return tlm::TLM_COMPLETED;
    }
    return phases == TargetPhases::two ? update(payload, phase, delay) : answer_later(payload);
}

tlm::tlm_sync_enum RandomTarget::update(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                        sc_core::sc_time& delay)
{
    delay += draw_delay();
    if (random_.below(2) == 0 && !response_is_open_) {
        response_is_open_ = true;
        phase = tlm::BEGIN_RESP;
    } else {
        payload.acquire();
        responding_.notify(payload, delay + draw_delay());
        phase = tlm::END_REQ;
    }
    return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum RandomTarget::answer_later(tlm::tlm_generic_payload& payload)
{
    payload.acquire();
    if (random_.below(4) == 0) // the response ends the request phase by itself
        responding_.notify(payload, draw_delay());
    else
        ending_.notify(payload, draw_delay());
    return tlm::TLM_ACCEPTED;
}

void RandomTarget::end_requests()
{
    for (;;) {
        wait(ending_.get_event());
        while (tlm::tlm_generic_payload* const payload = ending_.get_next_transaction()) {
            tlm::tlm_phase phase = tlm::END_REQ;
            sc_core::sc_time delay = draw_delay();
            const sc_core::sc_time response = delay + draw_delay();
            responding_.notify(*payload, response);
            if (socket->nb_transport_bw(*payload, phase, delay) != tlm::TLM_ACCEPTED)
                error_ = "END_REQ is not accepted";
        }
    }
}

void RandomTarget::respond()
{
    for (;;) {
        wait(responding_.get_event());
        while (tlm::tlm_generic_payload* const payload = responding_.get_next_transaction()) {
            while (response_is_open_)
                wait(response_ended_);
            response_is_open_ = true;
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time delay = draw_delay();
            const tlm::tlm_sync_enum answer = socket->nb_transport_bw(*payload, phase, delay);
            if (answer == tlm::TLM_COMPLETED)
                response_is_open_ = false;
            else
                while (response_is_open_)
                    wait(response_ended_);
            if (delay != sc_core::SC_ZERO_TIME)
                wait(delay);
            payload->release();
        }
    }
}

unsigned RandomTarget::transport_dbg(tlm::tlm_generic_payload& payload)
{
    access_plain_memory(bytes_, payload, payload.get_address());
    return payload.get_data_length();
}

bool RandomTarget::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& memory)
{
    memory.set_dmi_ptr(bytes_.data());
    memory.set_start_address(0);
    memory.set_end_address(bytes_.size() - 1);
    memory.allow_read_write();
    return true;
}

} // namespace nocturne::test
