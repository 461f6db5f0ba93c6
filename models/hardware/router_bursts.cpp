// Flits that leave in one go, as long as nothing comes between them.
#include "models/hardware/router.hpp"

#include <algorithm>
#include <limits>

namespace nocturne {

bool Router::takes_bursts(const OutputPort& port) const
{
    if (port.counts_credits || port.is_narrow || link_of(port).is_watched())
        return false;
    if (vcs_ == 1)
        return switch_path_ == SwitchPath::in_turn_one_word || switch_path_ == SwitchPath::in_turn;
    return (switch_path_ == SwitchPath::in_turn_one_word || switch_path_ == SwitchPath::by_islip_one_word) &&
           (port.has_buffers || port.takes_tails_only);
}

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
    Flit flit = front(vc);
    // Only what is first in a buffer is waited for, at either end.
    if (source.slot().empty(leaves + vc.credit_cycles))
        wake_sender(vc, leaves);
    source.advance();
    if (output.is_plain) {
        const Cycle sure = vcs_ == 1 ? std::numeric_limits<Cycle>::max() : from + output.sure_credit_cycles;
        const std::uint32_t credit_cycles = vc.credit_cycles;
        const std::uint32_t flit_cycles = output.flit_cycles;
        BufferCursor target = vc.output_vc->buffer;
        if (target.slot().fill(flit, leaves + flit_cycles))
            wake_receiver(vc, flit, leaves);
        target.advance();
        for (++leaves; !flit.is_tail() && source.slot().has_arrived(leaves) &&
                       target.slot().has_credit(std::min(leaves, sure));
             ++leaves) {
            flit = source.slot().flit();
            source.slot().empty(leaves + credit_cycles);
            source.advance();
            target.slot().fill(flit, leaves + flit_cycles);
            target.advance();
        }
        vc.output_vc->buffer = target;
    } else {
        send_event(output, vc.on_link, flit, leaves);
        for (++leaves; !flit.is_tail() && source.slot().has_arrived(leaves); ++leaves) {
            flit = source.slot().flit();
            source.slot().empty(leaves + vc.credit_cycles);
            source.advance();
            if (vcs_ != 1 && flit.is_tail()) // an event cannot be taken back: end_burst() sends the tail
                count_arrival(flit);
            else
                send_event(output, vc.on_link, flit, leaves);
        }
    }
    blocked_cycles_ += from - vc.eligible;
    vc.buffer = source;
    vc.eligible = output.free_at = leaves;
    output.flits += leaves - from;
    if (vcs_ != 1) {
        output.streaming = input_ports_[vc.port].streaming = index_of(vc);
        input_ports_[vc.port].free_at = leaves;
    }
    if (!flit.is_tail()) {
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
    if (vc.buffer.slot().has_arrived(vc.eligible))
        await_credit(vc);
    else
        await_flit(vc);
}

/// The tail has left in the last cycle, as release() would have had it then.
void Router::end_burst(InputVc& vc)
{
    if (vc.phase != Phase::leaving || vc.eligible != domain_.cycle())
        return; // it has been taken back
    if (vcs_ != 1 && !vc.output->has_buffers) {
        BufferCursor last = vc.buffer;
        last.go_back();
        link_of(*vc.output).send(last.slot().flit(), vc.on_link, vc.eligible - 1);
    }
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

// With several virtual channels.

bool Router::has_output_alone(const InputVc& vc)
{
    const std::uint64_t taken =
        ~free_.word() >> index_of(*vc.output) * vcs_ & ((std::uint64_t{1} << vcs_) - 1);
    return (taken & (taken - 1)) == 0;
}

/// The virtual channel requests the switch from now on: others that have its input or its output compete.
void Router::cut_bursts_beside(const InputVc& vc)
{
    const OutputPort& output = *vc.output;
    if (!output.is_narrow && output.free_at > domain_.cycle()) // or else a flit enters it slowly
        cut_burst(inputs_[output.streaming]);
    if (input_ports_[vc.port].free_at > domain_.cycle())
        cut_burst(inputs_[input_ports_[vc.port].streaming]);
}

/// What has not left stays, and competes.
void Router::cut_burst(InputVc& vc)
{
    take_back(vc, static_cast<std::uint32_t>(vc.output->free_at - domain_.cycle()));
    vc.awaits = Awaits::nothing;
    request_switch(vc);
}

/// The last flits that it has sent, which leave later. They are of one packet, and no head is among them:
/// that leaves in the cycle in which it is sent. Their credits are unused (see send_burst()).
void Router::take_back(InputVc& vc, std::uint32_t flits)
{
    OutputPort& output = *vc.output;
    BufferCursor& target = vc.output_vc->buffer;
    if (output.has_buffers) {
        BufferCursor first = target;
        if (first.slot().is_full())
            first.slot().await_no_more(); // for a credit
        for (std::uint32_t i = 0; i < flits; ++i)
            first.go_back();
        output.receiver->on_event(link_of(output).receiver().first_loss_code + vc.on_link, first.position);
    }
    for (std::uint32_t i = 0; i < flits; ++i) {
        --output.free_at;
        vc.buffer.go_back();
        vc.buffer.slot().put_back(output.free_at);
        if (output.has_buffers) {
            target.go_back();
            target.slot().take_back(output.free_at);
        }
    }
    output.flits -= flits;
    vc.eligible = input_ports_[vc.port].free_at = output.free_at;
    vc.phase = Phase::active;
}

/// The sender takes back what it has put into the buffer from that place on.
void Router::lose_flits(InputVc& vc, std::uint32_t position)
{
    BufferSlot& first = vc.buffer.slots[position];
    if (!first.is_full())
        take_back(vc, vc.buffer.places_behind(position));
    if (vc.buffer.position == position && vc.phase == Phase::active) {
        vc.awaits = Awaits::flit;
        first.await();
    }
}

} // namespace nocturne
