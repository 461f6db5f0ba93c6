// Transactions that do not come to their end.
#include "models/fabric/fabric.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

void Fabric::reset()
{
    for (const auto& target : targets_)
        target->requests = {};
    for (const auto& initiator : initiators_)
        initiator->responses = {};
    bus_requests_.clear();
    bus_responses_.clear();
    for (FabricTransferId id = 0; id < transfers_.size(); ++id) {
        const FabricTransfer& transfer = transfers_[id];
        if (transfer.is_in_use && !transfer.state.is_blocking && transfer.payload != nullptr)
            drop(id);
    }
    bus_request_ended_.notify(sc_core::SC_ZERO_TIME);
    bus_response_ended_.notify(sc_core::SC_ZERO_TIME);
}

/// No callback is made: the thread may be ending.
void Fabric::drop(FabricTransferId id)
{
    FabricTransfer& transfer = transfers_[id];
    Initiator& initiator = *initiators_[transfer.initiator];
    if (!transfer.state.is_blocking) {
        initiator.transfers.erase(*transfer.payload);
        targets_[transfer.target]->transfers.erase(*transfer.payload);
        transfer.payload->set_address(transfer.address);
        if (transfer.payload->has_mm())
            transfer.payload->release();
    }
    transfer.payload = nullptr;
    transfer.state.is_dropped = true;
    transfer.state.is_request_open = transfer.state.is_response_open = false;
    const auto place = std::ranges::find(initiator.waiting, id);
    if (place != initiator.waiting.end()) {
        initiator.waiting.erase(place);
        initiator.is_request_waiting = initiator.is_request_waiting && transfer.state.is_blocking;
    }
    push(Due::dropped, id, sc_core::SC_ZERO_TIME);
}

void Fabric::handle_dropped(const DueEntry& entry)
{
    FabricTransfer::State& state = transfers_[entry.id].state;
    // Those of its flow do not wait for one that has not entered.
    const bool arrives = entry.what == Due::request_arrives || entry.what == Due::response_arrives;
    if (entry.what == Due::response_arrives)
        put_in_order(Leg::response, entry.id);
    else if (arrives || (state.is_under_way && !std::exchange(state.has_entered, true)))
        put_in_order(Leg::request, entry.id);
    else if (!state.is_under_way)
        end_dropped(entry.id);
}

/// Nothing of it is in the network, or waits for something that is.
void Fabric::end_dropped(FabricTransferId id)
{
    FabricTransfer& transfer = transfers_[id];
    if (transfer.state.has_place)
        take_request(transfer);
    leave_slot(id);
}

} // namespace nocturne
