#include "models/fabric/protocol_rules.hpp"

#include <fmt/format.h>

namespace nocturne {

namespace {

constexpr std::size_t most_texts = 100;

std::uint64_t time_of(const sc_core::sc_time& delay)
{
    return (sc_core::sc_time_stamp() + delay).value();
}

} // namespace

void ProtocolRules::note(const tlm::tlm_generic_payload& payload, const char* what)
{
    ++violation_count_;
    if (violations_.size() < most_texts)
        violations_.push_back(fmt::format("{}: address {:#x}: {}", sc_core::sc_time_stamp().to_string(),
                                          payload.get_address(), what));
}

ProtocolRules::Attributes ProtocolRules::attributes_of(const tlm::tlm_generic_payload& payload)
{
    return {payload.get_command(),         payload.get_data_ptr(),           payload.get_data_length(),
            payload.get_byte_enable_ptr(), payload.get_byte_enable_length(), payload.get_streaming_width()};
}

void ProtocolRules::begin(const tlm::tlm_generic_payload& payload, Stage stage, const sc_core::sc_time& delay)
{
    if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
        note(payload, "a request whose response status is not TLM_INCOMPLETE_RESPONSE");
    if (payload.is_dmi_allowed())
        note(payload, "a request that allows direct memory access");
    const bool has_data = payload.get_command() != tlm::TLM_IGNORE_COMMAND;
    if (has_data && (payload.get_data_ptr() == nullptr || payload.get_data_length() == 0))
        note(payload, "a request without data");
    if (has_data && payload.get_streaming_width() == 0)
        note(payload, "a streaming width of 0");
    if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0)
        note(payload, "byte enables of length 0");
    transactions_.insert_or_assign(&payload, Transaction{stage, attributes_of(payload), time_of(delay)});
}

void ProtocolRules::end(const tlm::tlm_generic_payload& payload)
{
    transactions_.erase(&payload);
    ++completed_;
    if (open_response_ == &payload)
        open_response_ = nullptr;
    close_request(payload);
}

void ProtocolRules::close_request(const tlm::tlm_generic_payload& payload)
{
    if (open_request_ == &payload)
        open_request_ = nullptr;
}

/// The transaction that a phase belongs to, with what holds for each phase; null if there is none.
ProtocolRules::Transaction* ProtocolRules::find(const tlm::tlm_generic_payload& payload, const char* phase,
                                                const sc_core::sc_time& delay)
{
    const auto found = transactions_.find(&payload);
    if (found == transactions_.end()) {
        note(payload, fmt::format("{} for a transaction that is not in progress", phase).c_str());
        return nullptr;
    }
    Transaction& transaction = found->second;
    if (transaction.attributes != attributes_of(payload))
        note(payload, fmt::format("attributes have changed before {}", phase).c_str());
    if (payload.has_mm() && payload.get_ref_count() < 1)
        note(payload, fmt::format("{} of a payload without a reference to it", phase).c_str());
    const std::uint64_t time = time_of(delay);
    if (time < transaction.time)
        note(payload, fmt::format("{} is earlier than the phase before it", phase).c_str());
    transaction.time = time;
    return &transaction;
}

void ProtocolRules::require_status(const tlm::tlm_generic_payload& payload)
{
    if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
        note(payload, "a response whose status is TLM_INCOMPLETE_RESPONSE");
}

// Phases.

void ProtocolRules::begin_request(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay)
{
    if (transactions_.contains(&payload)) {
        note(payload, "BEGIN_REQ with a payload that is in use");
        return;
    }
    if (!payload.has_mm() || payload.get_ref_count() < 1)
        note(payload, "BEGIN_REQ with a payload that no memory manager keeps");
    if (open_request_ != nullptr)
        note(payload, "BEGIN_REQ before the end of another request phase");
    begin(payload, Stage::request, delay);
    open_request_ = &payload;
}

void ProtocolRules::end_request(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay)
{
    Transaction* const transaction = find(payload, "END_REQ", delay);
    if (transaction == nullptr)
        return;
    if (transaction->stage != Stage::request)
        note(payload, "END_REQ for a request phase that is not open");
    else
        transaction->stage = Stage::request_ended;
    close_request(payload);
}

void ProtocolRules::begin_response(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay)
{
    Transaction* const transaction = find(payload, "BEGIN_RESP", delay);
    if (transaction == nullptr)
        return;
    if (transaction->stage != Stage::request && transaction->stage != Stage::request_ended)
        note(payload, "BEGIN_RESP for a transaction that has had it");
    if (open_response_ != nullptr && open_response_ != &payload)
        note(payload, "BEGIN_RESP before the end of another response phase");
    require_status(payload);
    close_request(payload);
    transaction->stage = Stage::response;
    open_response_ = &payload;
}

void ProtocolRules::end_response(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay)
{
    Transaction* const transaction = find(payload, "END_RESP", delay);
    if (transaction == nullptr)
        return;
    if (transaction->stage != Stage::response)
        note(payload, "END_RESP for a response phase that is not open");
    end(payload);
}

// Calls.

void ProtocolRules::forward_call(const tlm::tlm_generic_payload& payload, const TransportCall& call)
{
    if (call.phase == tlm::BEGIN_REQ)
        begin_request(payload, call.delay);
    else if (call.phase == tlm::END_RESP)
        end_response(payload, call.delay);
    else if (call.phase == tlm::END_REQ || call.phase == tlm::BEGIN_RESP)
        note(payload, "a phase of the target on the forward path");
}

void ProtocolRules::forward_return(const tlm::tlm_generic_payload& payload, const TransportCall& call,
                                   tlm::tlm_sync_enum answer, const TransportCall& returned)
{
    if (call.phase != tlm::BEGIN_REQ) {
        if (call.phase == tlm::END_RESP && answer == tlm::TLM_UPDATED)
            note(payload, "TLM_UPDATED for END_RESP");
        return;
    }
    if (answer == tlm::TLM_COMPLETED) {
        if (find(payload, "TLM_COMPLETED", returned.delay) == nullptr)
            return;
        require_status(payload);
        end(payload);
    } else if (answer == tlm::TLM_UPDATED) {
        if (returned.phase == tlm::END_REQ)
            end_request(payload, returned.delay);
        else if (returned.phase == tlm::BEGIN_RESP)
            begin_response(payload, returned.delay);
        else
            note(payload, "TLM_UPDATED for BEGIN_REQ with a phase that cannot follow it");
    } else if (returned.phase != tlm::BEGIN_REQ) {
        note(payload, "TLM_ACCEPTED with another phase");
    }
}

void ProtocolRules::backward_call(const tlm::tlm_generic_payload& payload, const TransportCall& call)
{
    if (call.phase == tlm::END_REQ)
        end_request(payload, call.delay);
    else if (call.phase == tlm::BEGIN_RESP)
        begin_response(payload, call.delay);
    else if (call.phase == tlm::BEGIN_REQ || call.phase == tlm::END_RESP)
        note(payload, "a phase of the initiator on the backward path");
}

void ProtocolRules::backward_return(const tlm::tlm_generic_payload& payload, const TransportCall& call,
                                    tlm::tlm_sync_enum answer, const TransportCall& returned)
{
    if (call.phase == tlm::END_REQ) {
        if (answer != tlm::TLM_ACCEPTED)
            note(payload, "END_REQ that is answered with another value than TLM_ACCEPTED");
    } else if (call.phase == tlm::BEGIN_RESP) {
        if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && returned.phase == tlm::END_RESP))
            end_response(payload, returned.delay);
        else if (answer == tlm::TLM_UPDATED)
            note(payload, "TLM_UPDATED for BEGIN_RESP with a phase that cannot follow it");
    }
}

void ProtocolRules::blocking_call(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay)
{
    const sc_core::sc_curr_proc_kind kind = sc_core::sc_get_current_process_handle().proc_kind();
    if (kind != sc_core::SC_THREAD_PROC_ && kind != sc_core::SC_CTHREAD_PROC_)
        note(payload, "b_transport from a process that cannot wait");
    if (transactions_.contains(&payload)) {
        note(payload, "b_transport with a payload that is in use");
        return;
    }
    begin(payload, Stage::blocking, delay);
}

void ProtocolRules::blocking_return(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay)
{
    if (find(payload, "the return of b_transport", delay) == nullptr)
        return;
    require_status(payload);
    end(payload);
}

void ProtocolRules::blocking_abandoned(const tlm::tlm_generic_payload& payload)
{
    const auto found = transactions_.find(&payload);
    if (found != transactions_.end() && found->second.stage == Stage::blocking)
        transactions_.erase(found);
}

void ProtocolRules::reset()
{
    std::erase_if(transactions_, [](const auto& entry) { return entry.second.stage != Stage::blocking; });
    open_request_ = open_response_ = nullptr;
}

} // namespace nocturne
