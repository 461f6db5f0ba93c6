// Non-blocking transport with FabricPhases::end_to_end: one request phase and one response phase at a time,
// each held by a thread from one end to the other.
#include "models/fabric/fabric.hpp"

namespace nocturne {

void Fabric::run_bus_requests()
{
    for (;;) {
        wait(bus_requests_.due());
        while (const auto id = bus_requests_.take())
            pass_bus_request(*id);
    }
}

void Fabric::pass_bus_request(FabricTransferId id)
{
    FabricTransfer& transfer = transfers_[id];
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum answer = call_target(id, phase, delay);
    if (transfer.state.is_dropped)
        return;
    if (answer == tlm::TLM_COMPLETED) {
        bus_responses_.push(id, delay);
        wait(delay);
    } else if (phase == tlm::BEGIN_RESP) {
        begin_bus_response(id, delay);
        wait(delay);
    } else {
        ++transfer.pending; // its response may overtake
        await_end_of_bus_request(transfer, phase, delay);
        if (--transfer.pending == 0 && transfer.payload == nullptr)
            transfers_.release(id);
    }
}

void Fabric::await_end_of_bus_request(FabricTransfer& transfer, const tlm::tlm_phase& phase,
                                      const sc_core::sc_time& delay)
{
    if (phase == tlm::END_REQ) {
        transfer.state.is_request_open = false;
        wait(delay);
    }
    while (transfer.state.is_request_open)
        wait(bus_request_ended_);
    // A response that has been presented has ended the request phase.
    if (transfer.payload == nullptr || transfer.state.is_response_open || transfer.state.has_ended)
        return;
    tlm::tlm_phase end = tlm::END_REQ;
    sc_core::sc_time none = sc_core::SC_ZERO_TIME;
    initiators_[transfer.initiator]->calls->nb_transport_bw(*transfer.payload, end, none);
}

void Fabric::end_bus_request(FabricTransferId id, const sc_core::sc_time& delay)
{
    transfers_[id].state.is_request_open = false;
    bus_request_ended_.notify(delay);
}

void Fabric::begin_bus_response(FabricTransferId id, const sc_core::sc_time& delay)
{
    FabricTransfer& transfer = transfers_[id];
    transfer.state.has_responded = true;
    transfer.state.target_awaits_end_response = true;
    end_bus_request(id, delay);
    bus_responses_.push(id, delay);
}

void Fabric::run_bus_responses()
{
    for (;;) {
        wait(bus_responses_.due());
        while (const auto id = bus_responses_.take())
            pass_bus_response(*id);
    }
}

void Fabric::pass_bus_response(FabricTransferId id)
{
    FabricTransfer& transfer = transfers_[id];
    count_ended(transfer);
    transfer.state.is_response_open = true;
    ++transfer.pending; // it may be dropped
    hide_dmi_hint(*transfer.payload);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum answer =
        initiators_[transfer.initiator]->calls->nb_transport_bw(*transfer.payload, phase, delay);
    if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
        if (!transfer.state.is_dropped)
            end_bus_response(id, delay);
        wait(delay);
    } else {
        while (transfer.state.is_response_open)
            wait(bus_response_ended_);
    }
    if (!transfer.state.is_dropped)
        end_response_at_target(transfer);
    --transfer.pending;
    if (!transfer.state.is_dropped)
        finish(id);
    else if (transfer.pending == 0)
        transfers_.release(id);
}

void Fabric::end_bus_response(FabricTransferId id, const sc_core::sc_time& delay)
{
    FabricTransfer& transfer = transfers_[id];
    transfer.state.is_response_open = false;
    transfer.state.has_ended = true;
    initiators_[transfer.initiator]->transfers.erase(*transfer.payload);
    bus_response_ended_.notify(delay);
}

} // namespace nocturne
