// Flits that nothing can come between leave in one go.
#include "models/hardware/router.hpp"

#include <algorithm>

namespace nocturne {

/// By an event: the first flit has come, or its credit has. It can leave in that cycle, now or later.
void Router::continue_burst(InputVc& vc, Cycle from)
{
    if (!has_credit(vc, from)) {
        await_credit(vc);
    } else if (send_burst(vc, from)) {
        // Not at once: a virtual channel is free in the cycle after its tail has won the switch.
        vc.phase = Phase::leaving;
        domain_.schedule(vc.eligible, *this, event_code(tail_has_left, index_of(vc)));
    }
}

/// Sends the first flit, which can leave in that cycle, and those behind it that can leave in the cycles
/// after that as far as is known now. Is the last one a tail that leaves in the present cycle? All else that
/// there is to do has been done.
bool Router::send_burst(InputVc& vc, Cycle from)
{
    OutputPort& output = *vc.output;
    BufferCursor source = vc.buffer;
    Cycle leaves = from;
    bool ends_here = false;
    const auto take = [&] {
        BufferSlot& slot = source.slot();
        const Flit flit = slot.flit();
        if (slot.empty(leaves + vc.credit_cycles))
            wake_sender(vc, leaves);
        source.advance();
        ends_here = flit.is_tail();
        return flit;
    };
    if (output.is_plain) {
        BufferCursor target = vc.output_vc->buffer;
        do {
            const Flit flit = take();
            if (target.slot().fill(flit, leaves + output.flit_cycles))
                wake_receiver(vc, flit, leaves);
            target.advance();
            ++leaves;
        } while (!ends_here && source.slot().has_arrived(leaves) && target.slot().has_credit(leaves));
        vc.output_vc->buffer = target;
    } else {
        do {
            send_event(output, vc.on_link, take(), leaves);
            ++leaves;
        } while (!ends_here && source.slot().has_arrived(leaves));
    }
    blocked_cycles_ += from - vc.eligible;
    vc.buffer = source;
    vc.eligible = output.free_at = leaves;
    output.flits += leaves - from;
    if (!ends_here) {
        await_flit_or_credit(vc);
        return false;
    }
    if (leaves == domain_.cycle() + 1)
        return true;
    vc.phase = Phase::leaving;
    domain_.schedule(leaves, *this, event_code(tail_has_left, index_of(vc)));
    return false;
}

void Router::await_flit_or_credit(InputVc& vc)
{
    BufferSlot& slot = vc.buffer.slot();
    if (!slot.is_full())
        slot.await();
    else if (slot.cycle() > vc.eligible)
        domain_.schedule(slot.cycle(), *this, event_code(flit_is_due, index_of(vc)));
    else
        await_credit(vc);
}

/// The tail has left in the last cycle, as release() would have had it then.
void Router::end_burst(InputVc& vc)
{
    free_output(vc);
    vc.phase = Phase::idle;
    domain_.activate(handle_);
    BufferSlot& slot = vc.buffer.slot();
    if (!slot.is_full()) {
        slot.await();
        return;
    }
    const Cycle due =
        std::max(domain_.cycle(), slot.cycle()) + pipeline_.route_computation + pipeline_.vc_allocation - 1;
    if (due == domain_.cycle())
        take_flit(index_of(vc));
    else
        domain_.schedule(due, *this, event_code(flit_is_due, index_of(vc)));
}

/// Behind a flit that has left: can the next one leave in the next cycle? If not, an event will tell when.
bool Router::stays_ready(InputVc& vc)
{
    const Cycle next = domain_.cycle() + 1;
    BufferSlot& slot = vc.buffer.slot();
    if (!slot.is_full()) {
        slot.await();
    } else if (slot.cycle() > vc.eligible) {
        domain_.schedule(slot.cycle(), *this, event_code(flit_is_due, index_of(vc)));
    } else if (vc.eligible > next) {
        domain_.schedule(vc.eligible, *this, event_code(competes_for_switch, index_of(vc)));
    } else {
        if (has_credit(vc, next))
            return true;
        await_credit(vc);
    }
    return false;
}

} // namespace nocturne
