// What follows when a flit has crossed the switch of a router.
#include "models/hardware/router.hpp"

#include <algorithm>

namespace nocturne {

/// Over a link that is not plain.
void Router::send(const InputVc& vc, Flit flit, Cycle now)
{
    OutputPort& output = *vc.output;
    if (output.shares_places) [[unlikely]]
        take_place(vc);
    if (output.counts_credits)
        --vc.output_vc->credits;
    if (!output.has_buffers) {
        send_event(output, vc.on_link, flit, now);
        return;
    }
    BufferCursor& to = vc.output_vc->buffer;
    if (to.slot().fill(flit, now + output.flit_cycles))
        wake_receiver(vc, flit, now);
    to.advance();
    if (Link& link = link_of(output); link.is_watched())
        link.report(flit, vc.on_link);
}

/// The next flit of a virtual channel takes a place that it shares, unless it is the first one there. Where
/// it was the last place, others that counted on it wait.
void Router::take_place(const InputVc& vc)
{
    const std::uint32_t port = index_of(*vc.output);
    SharedPlaces& shared = shared_places_[port];
    if (vc.output_vc->credits == shared.depth || --shared.free != 0)
        return;
    for (std::uint32_t other = port * vcs_; other < (port + 1) * vcs_; ++other) {
        const std::uint32_t owner = outputs_[other].owner;
        if (owner == BitSet::none || owner == index_of(vc))
            continue;
        InputVc& waiting = inputs_[owner];
        if ((input_ports_[waiting.port].ready & 1u << waiting.vc) == 0 ||
            outputs_[other].credits == shared.depth)
            continue;
        waiting.awaits = Awaits::credit;
        lacks_since_[owner] = domain_.cycle() + 1;
        erase_ready(waiting);
    }
}

/// A credit of a link whose virtual channels share places: others than its own may have waited for it.
void Router::give_place_back(std::uint32_t output_vc)
{
    OutputVc& output = outputs_[output_vc];
    const std::uint32_t port = output_vc / vcs_;
    SharedPlaces& shared = shared_places_[port];
    ++output.credits;
    shared.free += output.credits != shared.depth ? 1 : 0;
    for (std::uint32_t vc = port * vcs_; vc < (port + 1) * vcs_; ++vc)
        if (outputs_[vc].owner != BitSet::none)
            end_credit_wait(outputs_[vc].owner);
}

/// The credit of a flit that has left its buffer goes back to who waits for it, or counts it.
void Router::wake_sender(const InputVc& vc, Cycle leaves)
{
    const InputPort& port = input_ports_[vc.port];
    if (vc.returns_credits)
        port.link->return_credit(vc.vc);
    else
        domain_.schedule(leaves + vc.credit_cycles, *port.sender, port.sender_code + vc.vc);
}

/// A flit that is waited for is on its way.
void Router::wake_receiver(const InputVc& vc, Flit flit, Cycle leaves)
{
    const OutputPort& output = *vc.output;
    domain_.schedule(leaves + (flit.is_head() ? output.head_cycles : output.flit_cycles), *output.receiver,
                     output.receiver_code + vc.on_link);
}

/// The tail of a packet has left: the output is free, and the next head's route can be computed.
void Router::release(InputVc& vc)
{
    free_output(vc);
    vc.phase = Phase::idle;
    BufferSlot& slot = vc.buffer.slot();
    if (slot.is_full())
        domain_.schedule(std::max(domain_.cycle() + 1, slot.cycle()) + pipeline_.route_computation +
                             pipeline_.vc_allocation - 1,
                         *this, event_code(flit_is_due, index_of(vc)));
    else
        slot.await();
}

void Router::free_output(const InputVc& vc)
{
    vc.output_vc->owner = BitSet::none;
    if (vcs_ != 1)
        input_ports_[vc.port].owners &= ~(1u << vc.vc);
    free_.insert(index_of(*vc.output_vc));
    if (!requests_.empty(vc.group))
        groups_to_serve_.insert(vc.group);
}

/// Behind a flit that has left: can the next one leave in the next cycle? If not, an event will tell when.
bool Router::stays_ready(InputVc& vc)
{
    const Cycle next = domain_.cycle() + 1;
    if (!vc.buffer.slot().has_arrived(vc.eligible)) {
        await_flit(vc);
    } else if (vc.eligible > next) {
        compete_later(vc);
    } else {
        if (has_credit(vc, next))
            return true;
        await_credit(vc);
    }
    return false;
}

} // namespace nocturne
