// Non-blocking transport: the phases of the base protocol at the sockets of initiators and targets.
#include "models/fabric/fabric.hpp"

#include <fmt/format.h>

#include <utility>

namespace nocturne {

// The queue of what is due.

void Fabric::push(Due what, FabricTransferId id, const sc_core::sc_time& delay)
{
    ++transfers_[id].pending;
    due_.push({what, id}, delay);
}

void Fabric::run()
{
    due_.take_due([this](const DueEntry& entry) { handle(entry); });
}

void Fabric::handle(const DueEntry& entry)
{
    FabricTransfer& transfer = transfers_[entry.id];
    --transfer.pending;
    if (transfer.state.is_dropped) {
        handle_dropped(entry);
        return;
    }
    const bool is_over =
        transfer.payload == nullptr; // its response has overtaken the end of its request phase
    switch (entry.what) {
    case Due::dropped:
        break;
    case Due::request_enters:
        send(Leg::request, entry.id);
        break;
    case Due::request_arrives:
        put_in_order(Leg::request, entry.id);
        break;
    case Due::request_ends:
        end_request_phase(entry.id);
        break;
    case Due::response_begins:
        begin_response_phase(entry.id);
        break;
    case Due::response_arrives:
        put_in_order(Leg::response, entry.id);
        break;
    case Due::response_ends:
        end_response_phase(entry.id);
        break;
    }
    if (is_over && transfer.pending == 0)
        transfers_.release(entry.id);
}

void Fabric::append(PhaseChannel& channel, FabricTransferId id)
{
    if (channel.first == SocketTransfers::none)
        channel.first = id;
    else
        transfers_[channel.last].behind = id;
    channel.last = id;
    transfers_[id].behind = SocketTransfers::none;
}

FabricTransferId Fabric::take_first(PhaseChannel& channel)
{
    const FabricTransferId id = channel.first;
    channel.first = transfers_[id].behind;
    return id;
}

void Fabric::report_violation(const std::string& socket, const char* what) const
{
    report_error(fmt::format("{}: {}", socket, what));
}

// Requests.

tlm::tlm_sync_enum Fabric::nb_transport_fw(std::uint32_t initiator, tlm::tlm_generic_payload& payload,
                                           tlm::tlm_phase& phase, sc_core::sc_time& delay)
{
    if (phase == tlm::BEGIN_REQ)
        return begin_request(initiator, payload, phase, delay);
    if (phase == tlm::END_RESP) {
        const FabricTransferId id = initiators_[initiator]->transfers.find(payload);
        if (id == SocketTransfers::none || !transfers_[id].state.is_response_open)
            report_violation(ports_.initiators[initiator].name, "END_RESP without a response");
        else if (config_.phases == FabricPhases::end_to_end)
            end_bus_response(id, delay);
        else
            end_response(id, delay);
        return tlm::TLM_COMPLETED;
    }
    if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)
        report_violation(ports_.initiators[initiator].name, "a phase that only targets begin");
    return tlm::TLM_ACCEPTED; // other phases may be ignored
}

tlm::tlm_sync_enum Fabric::begin_request(std::uint32_t initiator, tlm::tlm_generic_payload& payload,
                                         tlm::tlm_phase& phase, const sc_core::sc_time& delay)
{
    Initiator& from = *initiators_[initiator];
    const AddressRegion* const region = find_region(from, payload);
    if (region == nullptr) {
        ++address_errors_;
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    if (!is_running(ports_.initiators[initiator].name)) {
        payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return tlm::TLM_COMPLETED;
    }
    if (from.transfers.find(payload) != SocketTransfers::none) {
        report_violation(ports_.initiators[initiator].name,
                         "BEGIN_REQ with the payload of a transaction that has not ended");
        return tlm::TLM_ACCEPTED;
    }
    if (from.is_request_waiting) {
        report_violation(ports_.initiators[initiator].name,
                         "BEGIN_REQ before the END_REQ of another request");
        return tlm::TLM_ACCEPTED;
    }
    if (payload.has_mm())
        payload.acquire();
    const FabricTransferId id = start_transfer(initiator, payload, *region);
    FabricTransfer& transfer = transfers_[id];
    transfer.began += delay;
    from.transfers.insert(payload, id);
    if (config_.phases == FabricPhases::end_to_end) {
        transfer.state.is_under_way = false; // one at a time: all are in order
        bus_requests_.push(id, delay + fixed_latency_);
        return tlm::TLM_ACCEPTED;
    }
    if (!take_slot(id)) {
        from.is_request_waiting = true;
        return tlm::TLM_ACCEPTED;
    }
    enter(id, delay);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

void Fabric::enter(FabricTransferId id, const sc_core::sc_time& delay)
{
    if (delay == sc_core::SC_ZERO_TIME && (carrier_ != nullptr || config_.timing == FabricTiming::lt))
        send(Leg::request, id);
    else
        push(Due::request_enters, id, delay);
}

void Fabric::present_requests(PhaseChannel& channel)
{
    while (!channel.is_busy && channel.first != SocketTransfers::none) {
        channel.is_busy = true;
        present_request(take_first(channel));
    }
}

/// With BEGIN_REQ. What is completed the target has no more.
tlm::tlm_sync_enum Fabric::call_target(FabricTransferId id, tlm::tlm_phase& phase, sc_core::sc_time& delay)
{
    FabricTransfer& transfer = transfers_[id];
    Target& target = *targets_[transfer.target];
    target.transfers.insert(*transfer.payload, id);
    transfer.state.is_request_open = true;
    transfer.payload->set_address(transfer.target_address);
    const tlm::tlm_sync_enum answer =
        target_calls_[transfer.target]->nb_transport_fw(*transfer.payload, phase, delay);
    if (answer == tlm::TLM_COMPLETED && !transfer.state.is_dropped)
        target.transfers.erase(*transfer.payload);
    return answer;
}

void Fabric::present_request(FabricTransferId id)
{
    FabricTransfer& transfer = transfers_[id];
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum answer = call_target(id, phase, delay);
    if (transfer.state.is_dropped)
        return;
    if (answer == tlm::TLM_COMPLETED) {
        end_request(id, delay);
        respond(id, delay);
    } else if (answer == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
        end_request(id, delay);
    } else if (answer == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
        transfer.state.target_awaits_end_response = true;
        end_request(id, delay);
        respond(id, delay);
    }
}

void Fabric::end_request(FabricTransferId id, const sc_core::sc_time& delay)
{
    FabricTransfer& transfer = transfers_[id];
    if (!transfer.state.is_request_open)
        return;
    transfer.state.is_request_open = false;
    push(Due::request_ends, id, delay);
}

void Fabric::end_request_phase(FabricTransferId id)
{
    FabricTransfer& transfer = transfers_[id];
    take_request(transfer);
    PhaseChannel& channel = targets_[transfer.target]->requests;
    channel.is_busy = false;
    present_requests(channel);
}

// Responses.

tlm::tlm_sync_enum Fabric::nb_transport_bw(std::uint32_t target, tlm::tlm_generic_payload& payload,
                                           tlm::tlm_phase& phase, sc_core::sc_time& delay)
{
    Target& from = *targets_[target];
    const FabricTransferId id = from.transfers.find(payload);
    const std::string& name = ports_.targets[target].name;
    if (id == SocketTransfers::none) {
        report_violation(name, "a phase of a transaction that it does not have");
        return tlm::TLM_ACCEPTED;
    }
    FabricTransfer& transfer = transfers_[id];
    if (phase == tlm::END_REQ) {
        if (!transfer.state.is_request_open)
            report_violation(name, "END_REQ for a request phase that has ended");
        else if (config_.phases == FabricPhases::end_to_end)
            end_bus_request(id, delay);
        else
            end_request(id, delay);
        return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) {
        if (phase == tlm::BEGIN_REQ || phase == tlm::END_RESP)
            report_violation(name, "a phase that only initiators begin");
        return tlm::TLM_ACCEPTED;
    }
    if (transfer.state.has_responded) {
        report_violation(name, "BEGIN_RESP for a response phase that has begun");
        return tlm::TLM_ACCEPTED;
    }
    if (config_.phases == FabricPhases::end_to_end) {
        begin_bus_response(id, delay);
        return tlm::TLM_ACCEPTED;
    }
    end_request(id, delay);
    respond(id, delay);
    if (!config_.completes_responses_early) {
        transfer.state.target_awaits_end_response = true;
        return tlm::TLM_ACCEPTED;
    }
    from.transfers.erase(payload);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
}

void Fabric::respond(FabricTransferId id, const sc_core::sc_time& delay)
{
    transfers_[id].state.has_responded = true;
    push(Due::response_begins, id, delay);
}

void Fabric::begin_response_phase(FabricTransferId id)
{
    end_response_at_target(transfers_[id]);
    send(Leg::response, id);
}

void Fabric::end_response_at_target(FabricTransfer& transfer)
{
    if (!transfer.state.target_awaits_end_response)
        return;
    transfer.state.target_awaits_end_response = false;
    Target& target = *targets_[transfer.target];
    target.transfers.erase(*transfer.payload);
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    target_calls_[transfer.target]->nb_transport_fw(*transfer.payload, phase, delay);
}

void Fabric::present_responses(PhaseChannel& channel)
{
    while (!channel.is_busy && channel.first != SocketTransfers::none) {
        channel.is_busy = true;
        present_response(take_first(channel));
    }
}

void Fabric::present_response(FabricTransferId id)
{
    FabricTransfer& transfer = transfers_[id];
    count_ended(transfer);
    transfer.state.is_response_open = true;
    transfer.payload->set_address(transfer.address);
    hide_dmi_hint(*transfer.payload);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum answer =
        initiators_[transfer.initiator]->calls->nb_transport_bw(*transfer.payload, phase, delay);
    if (transfer.state.is_dropped)
        return;
    if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP))
        end_response(id, delay);
}

void Fabric::end_response(FabricTransferId id, const sc_core::sc_time& delay)
{
    FabricTransfer& transfer = transfers_[id];
    if (!transfer.state.is_response_open)
        return;
    transfer.state.is_response_open = false;
    // From now on the initiator may use the payload again, when all others have released it.
    initiators_[transfer.initiator]->transfers.erase(*transfer.payload);
    push(Due::response_ends, id, delay);
}

void Fabric::end_response_phase(FabricTransferId id)
{
    FabricTransfer& transfer = transfers_[id];
    PhaseChannel& channel = initiators_[transfer.initiator]->responses;
    channel.is_busy = false;
    finish(id);
    present_responses(channel);
}

void Fabric::finish(FabricTransferId id)
{
    FabricTransfer& transfer = transfers_[id];
    if (!transfer.state.is_blocking && transfer.payload->has_mm())
        transfer.payload->release();
    transfer.payload = nullptr;
    leave_slot(id);
}

void Fabric::leave_slot(FabricTransferId id)
{
    FabricTransfer& transfer = transfers_[id];
    const bool has_slot = std::exchange(transfer.state.has_slot, false);
    Initiator& initiator = *initiators_[transfer.initiator];
    if (transfer.pending == 0)
        transfers_.release(id);
    if (has_slot)
        admit_next(initiator);
}

/// False if it has to wait for one of its initiator's transactions to end, behind those that wait already.
bool Fabric::take_slot(FabricTransferId id)
{
    FabricTransfer& transfer = transfers_[id];
    Initiator& initiator = *initiators_[transfer.initiator];
    if (initiator.in_flight >= config_.requests_in_flight) {
        initiator.waiting.push_back(id);
        return false;
    }
    ++initiator.in_flight;
    transfer.state.has_slot = true;
    return true;
}

/// One of its transactions has ended: its slot goes to the first that waits.
void Fabric::admit_next(Initiator& initiator)
{
    if (initiator.waiting.empty()) {
        --initiator.in_flight;
        return;
    }
    const FabricTransferId id = initiator.waiting.front();
    initiator.waiting.pop_front();
    FabricTransfer& transfer = transfers_[id];
    transfer.state.has_slot = true;
    if (transfer.state.is_blocking) {
        transfer.state.has_arrived = true;
        transfer.arrived.notify(sc_core::SC_ZERO_TIME);
        return;
    }
    initiator.is_request_waiting = false;
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    sc_core::sc_time delay = transfer.began > now ? transfer.began - now : sc_core::SC_ZERO_TIME;
    enter(id, delay);
    tlm::tlm_phase phase = tlm::END_REQ;
    initiator.calls->nb_transport_bw(*transfer.payload, phase, delay);
}

} // namespace nocturne
