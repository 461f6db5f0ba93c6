#include "tests/models/fabric/random_initiator.hpp"

#include "tests/models/fabric/plain_memory.hpp"

namespace nocturne::test {

RandomInitiator::RandomInitiator(const sc_core::sc_module_name& name, const Config& config)
    : sc_module(name), config_(config), random_(config.seed),
      reference_(config.slices.size(), std::vector<std::uint8_t>(config.slice_bytes))
{
    socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    SC_HAS_PROCESS(RandomInitiator);
    SC_THREAD(run);
    SC_THREAD(end_responses);
}

void RandomInitiator::fail(const std::string& what)
{
    if (error_.empty())
        error_ = sc_core::sc_time_stamp().to_string() + ": " + what;
}

sc_core::sc_time RandomInitiator::draw_delay(unsigned most_ns)
{
    return sc_core::sc_time(random_.below(2) == 0 ? 0 : random_.below(most_ns + 1), sc_core::SC_NS);
}

void RandomInitiator::free(tlm::tlm_generic_payload* payload)
{
    free_.push_back(static_cast<Payload*>(payload));
}

RandomInitiator::Payload& RandomInitiator::draw()
{
    if (free_.empty()) {
        payloads_.emplace_back(static_cast<tlm::tlm_mm_interface*>(this));
        free_.push_back(&payloads_.back());
    }
    Payload& payload = *free_.back();
    free_.pop_back();
    payload.acquire();
    payload.number.number = numbers_++;
    payload.is_mapped = random_.below(64) != 0;
    payload.slice = random_.below(static_cast<std::uint32_t>(config_.slices.size()));
    draw_data(payload);
    return payload;
}

void RandomInitiator::draw_data(Payload& payload)
{
    const unsigned length = 1 + random_.below(config_.most_bytes);
    const unsigned width = random_.below(4) == 0 ? 1 + random_.below(length) : length;
    const std::uint64_t offset = random_.below(static_cast<std::uint32_t>(config_.slice_bytes - width + 1));
    payload.sent_address = payload.is_mapped ? config_.slices[payload.slice] + offset : config_.unmapped;
    payload.data.resize(length);
    for (std::uint8_t& byte : payload.data)
        byte = static_cast<std::uint8_t>(random_());
    payload.enables.resize(random_.below(4) == 0 ? 1 + random_.below(length) : 0);
    for (std::uint8_t& enable : payload.enables)
        enable = random_.below(2) == 0 ? TLM_BYTE_DISABLED : TLM_BYTE_ENABLED;
    payload.set_command(random_.below(2) == 0 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    payload.set_address(payload.sent_address);
    payload.set_data_ptr(payload.data.data());
    payload.set_data_length(length);
    payload.set_streaming_width(width);
    payload.set_byte_enable_ptr(payload.enables.empty() ? nullptr : payload.enables.data());
    payload.set_byte_enable_length(static_cast<unsigned>(payload.enables.size()));
    payload.set_dmi_allowed(false);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    const std::vector<std::uint8_t> before = payload.data;
    if (payload.is_mapped)
        access_plain_memory(reference_[payload.slice], payload, offset);
    payload.expected = payload.data;
    payload.data = before;
    payload.set_data_ptr(payload.data.data());
}

void RandomInitiator::check(Payload& payload)
{
    ++completed_;
    if (payload.get_response_status() !=
        (payload.is_mapped ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE))
        fail("response status " + payload.get_response_string());
    if (payload.data != payload.expected)
        fail("data of transaction " + std::to_string(payload.number.number));
    if (payload.get_extension<NumberExtension>() != &payload.number)
        fail("an extension is lost");
    if (payload.get_address() != payload.sent_address)
        fail("an address has not come back");
    payload.release();
}

void RandomInitiator::run()
{
    if (config_.is_blocking)
        run_blocking();
    else
        run_nonblocking();
}

void RandomInitiator::run_blocking()
{
    tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_core::sc_time(config_.quantum_ns, sc_core::SC_NS));
    tlm_utils::tlm_quantumkeeper keeper;
    keeper.reset();
    for (std::uint64_t i = 0; i < config_.transactions; ++i) {
        Payload& payload = draw();
        sc_core::sc_time delay = keeper.get_local_time();
        const sc_core::sc_time begun = sc_core::sc_time_stamp() + delay;
        socket->b_transport(payload, delay);
        if (sc_core::sc_time_stamp() + delay < begun)
            fail("time has run backwards");
        check(payload);
        keeper.set(delay);
        keeper.inc(draw_delay(config_.most_gap_ns));
        if (keeper.need_sync() || random_.below(32) == 0)
            keeper.sync();
        if (random_.below(200) == 0)
            keeper.reset(); // as after a wait of its own: the local time is void
    }
}

void RandomInitiator::run_nonblocking()
{
    for (std::uint64_t i = 0; i < config_.transactions; ++i) {
        while (request_is_open_ || outstanding_ >= config_.most_outstanding)
            wait(changed_);
        begin_request(draw());
        if (const sc_core::sc_time gap = draw_delay(config_.most_gap_ns); gap != sc_core::SC_ZERO_TIME)
            wait(gap);
    }
}

void RandomInitiator::begin_request(Payload& payload)
{
    ++outstanding_;
    request_is_open_ = true;
    request_ = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = draw_delay(5);
    switch (socket->nb_transport_fw(payload, phase, delay)) {
    case tlm::TLM_COMPLETED:
        request_is_open_ = false;
        --outstanding_;
        check(payload);
        break;
    case tlm::TLM_UPDATED:
        request_is_open_ = false;
        if (phase == tlm::BEGIN_RESP)
            ending_.notify(payload, delay);
        break;
    default:
        break;
    }
}

tlm::tlm_sync_enum RandomInitiator::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay)
{
    if (&payload == request_) { // END_REQ, or a response without it
        request_is_open_ = false;
        request_ = nullptr;
        changed_.notify(delay);
    }
    if (phase == tlm::END_REQ)
        return tlm::TLM_ACCEPTED;
    const std::uint32_t kind = random_.below(3);
    if (kind == 0) {
        ending_.notify(payload, delay + draw_delay(20));
        return tlm::TLM_ACCEPTED;
    }
    delay += draw_delay(20);
    --outstanding_;
    check(static_cast<Payload&>(payload));
    changed_.notify(delay);
    phase = tlm::END_RESP;
    return kind == 1 ? tlm::TLM_COMPLETED : tlm::TLM_UPDATED;
}

void RandomInitiator::end_responses()
{
    for (;;) {
        wait(ending_.get_event());
        while (tlm::tlm_generic_payload* const payload = ending_.get_next_transaction()) {
            tlm::tlm_phase phase = tlm::END_RESP;
            sc_core::sc_time delay = draw_delay(5);
            socket->nb_transport_fw(*payload, phase, delay);
            --outstanding_;
            check(static_cast<Payload&>(*payload));
            changed_.notify(delay);
        }
    }
}

} // namespace nocturne::test
