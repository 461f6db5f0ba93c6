// Blocking, debug and direct memory calls: what needs no phases.
#include "models/fabric/fabric.hpp"

#include <algorithm>
#include <limits>

namespace nocturne {

namespace {

/// Sets the address of a payload for a call, and what it was before after that.
class TranslatedAddress {
public:
    TranslatedAddress(tlm::tlm_generic_payload& payload, std::uint64_t address)
        : payload_(payload), before_(payload.get_address())
    {
        payload.set_address(address);
    }
    ~TranslatedAddress() { payload_.set_address(before_); }
    TranslatedAddress(const TranslatedAddress&) = delete;
    TranslatedAddress& operator=(const TranslatedAddress&) = delete;

private:
    tlm::tlm_generic_payload& payload_;
    const std::uint64_t before_;
};

} // namespace

/// Holds the transaction of a thread that waits. When the thread does not come back, as it is reset or killed
/// or the target throws, it is dropped.
class Fabric::BlockingTransfer {
public:
    BlockingTransfer(Fabric& fabric, FabricTransferId id) : fabric_(fabric), id_(id) {}
    ~BlockingTransfer()
    {
        if (!has_ended_)
            fabric_.drop(id_);
    }
    BlockingTransfer(const BlockingTransfer&) = delete;
    BlockingTransfer& operator=(const BlockingTransfer&) = delete;

    void end()
    {
        has_ended_ = true;
        fabric_.finish(id_);
    }

private:
    Fabric& fabric_;
    const FabricTransferId id_;
    bool has_ended_ = false;
};

void Fabric::b_transport(std::uint32_t initiator, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    Initiator& from = *initiators_[initiator];
    const AddressRegion* const region = find_region(from, payload);
    if (region == nullptr) {
        ++address_errors_;
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    } else if (!is_connected()) {
        payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    } else if (config_.timing == FabricTiming::lt) {
        pass_estimated(initiator, *region, payload, delay);
    } else if (config_.timing == FabricTiming::fixed) {
        pass_fixed(initiator, *region, payload, delay);
    } else {
        pass_waiting(initiator, *region, payload, delay);
    }
}

void Fabric::pass_fixed(std::uint32_t initiator, const AddressRegion& region,
                        tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    const sc_core::sc_time began = sc_core::sc_time_stamp() + delay;
    delay += fixed_latency_;
    {
        const TranslatedAddress translated(payload, region.to_target(payload.get_address()));
        target_calls_[region.target]->b_transport(payload, delay);
    }
    hide_dmi_hint(payload);
    count({plan_.flow(initiator, region.target), payload.get_command(), payload.get_data_length(), 0, 0,
           began, sc_core::sc_time_stamp() + delay});
}

void Fabric::pass_estimated(std::uint32_t initiator, const AddressRegion& region,
                            tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    const FlowId flow = plan_.flow(initiator, region.target);
    tlm::tlm_fw_transport_if<>* const target = target_calls_[region.target];
    __builtin_prefetch(target);
    __builtin_prefetch(&stats_[flow]);
    __builtin_prefetch(&stats_[flow].longest_latency); // on the next line of the cache, for some
    calendar_.prefetch(flow);
    // The target may change what it is asked.
    const std::uint32_t question_flits = request_flits(payload);
    const std::uint32_t answer_flits = response_flits(payload);
    const std::uint64_t now = advance_calendar();
    const std::uint64_t began = now + delay.value();
    RequestLimit& limit = initiators_[initiator]->limit;
    const std::uint64_t admitted = limit.admit(began, now);
    const std::uint64_t enters = admitted / period_;
    const std::uint64_t arrival = enters + calendar_.reserve(Leg::request, flow, question_flits, enters);
    delay = sc_core::sc_time::from_value(arrival * period_ - now);
    {
        const TranslatedAddress translated(payload, region.to_target(payload.get_address()));
        target->b_transport(payload, delay);
    }
    hide_dmi_hint(payload);
    const std::uint64_t later = advance_calendar();
    const std::uint64_t answered = later + delay.value();
    // A division costs as much as all the rest of this: most targets answer in whole cycles, or at once.
    const std::uint64_t entered = answered == arrival * period_ ? arrival : answered / period_;
    const std::uint64_t end =
        (entered + calendar_.reserve(Leg::response, flow, answer_flits, entered)) * period_;
    limit.note(admitted, end, later);
    delay = sc_core::sc_time::from_value(end - later);
    count({flow, payload.get_command(), payload.get_data_length(), question_flits, answer_flits,
           sc_core::sc_time::from_value(began), sc_core::sc_time::from_value(end)});
}

/// From now to the arrival of a message that enters now, in the clock cycle that began last.
sc_core::sc_time Fabric::estimated_delay(Leg leg, FlowId flow, std::uint32_t flits)
{
    const std::uint64_t now = advance_calendar();
    const std::uint64_t enters = now / period_;
    return sc_core::sc_time::from_value((enters + calendar_.reserve(leg, flow, flits, enters)) * period_ -
                                        now);
}

/// Simulated time; nothing enters the network before it.
std::uint64_t Fabric::advance_calendar()
{
    const std::uint64_t now = sc_core::sc_time_stamp().value();
    if (now != calendar_time_) {
        calendar_time_ = now;
        calendar_.advance(now / period_);
    }
    return now;
}

void Fabric::pass_waiting(std::uint32_t initiator, const AddressRegion& region,
                          tlm::tlm_generic_payload& payload, sc_core::sc_time& delay)
{
    if (!is_running(ports_.initiators[initiator].name)) {
        payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return;
    }
    const sc_core::sc_time began = sc_core::sc_time_stamp() + delay;
    if (delay != sc_core::SC_ZERO_TIME)
        wait(delay);
    const FabricTransferId id = start_transfer(initiator, payload, region);
    BlockingTransfer held(*this, id);
    FabricTransfer& transfer = transfers_[id];
    transfer.state.is_blocking = true;
    transfer.began = began;
    if (!take_slot(id))
        await_arrival(transfer);
    send(Leg::request, id);
    await_arrival(transfer);
    delay = sc_core::SC_ZERO_TIME;
    {
        const TranslatedAddress translated(payload, transfer.target_address);
        target_calls_[region.target]->b_transport(payload, delay);
    }
    hide_dmi_hint(payload);
    if (delay != sc_core::SC_ZERO_TIME)
        wait(delay);
    send(Leg::response, id);
    await_arrival(transfer);
    delay = sc_core::SC_ZERO_TIME;
    count_ended(transfer);
    held.end();
}

/// Without direct memory access there is nothing to be had by asking for it.
void Fabric::hide_dmi_hint(tlm::tlm_generic_payload& payload) const
{
    if (!config_.grants_dmi)
        payload.set_dmi_allowed(false);
}

/// Or the admission of what has waited for a slot.
void Fabric::await_arrival(FabricTransfer& transfer)
{
    while (!transfer.state.has_arrived)
        sc_core::wait(transfer.arrived);
    transfer.state.has_arrived = false;
}

unsigned Fabric::transport_dbg(std::uint32_t initiator, tlm::tlm_generic_payload& payload)
{
    const AddressRegion* const region = initiators_[initiator]->view->find(payload.get_address());
    if (region == nullptr || !is_connected())
        return 0;
    const unsigned length = payload.get_data_length();
    const std::uint64_t behind = region->last - payload.get_address(); // bytes after the first one
    if (length > 0 && length - 1 > behind)
        payload.set_data_length(static_cast<unsigned>(behind + 1));
    unsigned bytes = 0;
    {
        const TranslatedAddress translated(payload, region->to_target(payload.get_address()));
        bytes = target_calls_[region->target]->transport_dbg(payload);
    }
    payload.set_data_length(length);
    return bytes;
}

bool Fabric::get_direct_mem_ptr(std::uint32_t initiator, tlm::tlm_generic_payload& payload,
                                tlm::tlm_dmi& memory)
{
    memory.init();
    const AddressRegion* const region = config_.grants_dmi && is_connected()
                                            ? initiators_[initiator]->view->find(payload.get_address())
                                            : nullptr;
    if (region == nullptr) {
        // What is refused: everything where nothing is granted, otherwise the one address.
        memory.set_start_address(config_.grants_dmi ? payload.get_address() : 0);
        memory.set_end_address(config_.grants_dmi ? payload.get_address()
                                                  : std::numeric_limits<sc_dt::uint64>::max());
        return false;
    }
    bool is_granted = false;
    {
        const TranslatedAddress translated(payload, region->to_target(payload.get_address()));
        is_granted = target_calls_[region->target]->get_direct_mem_ptr(payload, memory);
    }
    const std::uint64_t lowest = region->to_target(region->first);
    const std::uint64_t highest = region->to_target(region->last);
    const std::uint64_t first = std::max<std::uint64_t>(memory.get_start_address(), lowest);
    const std::uint64_t last = std::min<std::uint64_t>(memory.get_end_address(), highest);
    if (first > last) { // the target has granted, or refused, what the initiator does not see
        memory.init();
        memory.set_start_address(payload.get_address());
        memory.set_end_address(payload.get_address());
        return false;
    }
    if (is_granted)
        memory.set_dmi_ptr(memory.get_dmi_ptr() + (first - memory.get_start_address()));
    memory.set_start_address(region->to_initiator(first));
    memory.set_end_address(region->to_initiator(last));
    return is_granted;
}

void Fabric::invalidate_direct_mem_ptr(std::uint32_t target, std::uint64_t first, std::uint64_t last)
{
    if (!is_connected())
        return;
    for (const auto& initiator : initiators_)
        for (const AddressRegion& region : initiator->view->regions()) {
            if (region.target != target)
                continue;
            const std::uint64_t from = std::max(first, region.to_target(region.first));
            const std::uint64_t to = std::min(last, region.to_target(region.last));
            if (from <= to)
                initiator->calls->invalidate_direct_mem_ptr(region.to_initiator(from),
                                                            region.to_initiator(to));
        }
}

} // namespace nocturne
