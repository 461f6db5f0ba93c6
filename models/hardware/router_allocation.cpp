// How a router gives outputs to packets, and the switch to flits.
#include "models/hardware/router.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace nocturne {

namespace {

/// The first set bit after `last` in circular order; `mask` is not 0.
std::uint32_t round_robin(std::uint32_t mask, std::uint32_t last)
{
    const std::uint32_t after = last >= 31 ? 0 : mask & (~0u << (last + 1));
    return static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : mask));
}

} // namespace

bool Router::tick()
{
    return is_small_ ? step<true>() : step<false>();
}

// Route computation and virtual-channel allocation.

void Router::route(std::uint32_t input_vc)
{
    InputVc& vc = inputs_[input_vc];
    Packet& packet = packets_[front(vc).packet()];
    vc.group =
        packet.route_mode == RouteMode::source ? packet.outputs[packet.next_output++] : group_for(packet);
    vc.phase = Phase::waits_for_vc;
    request_vc(input_vc);
}

void Router::request_vc(std::uint32_t input_vc)
{
    if (inputs_[input_vc].group == any_group) {
        request_any(input_vc);
    } else {
        requests_.insert(inputs_[input_vc].group, input_vc);
        groups_to_serve_.insert(inputs_[input_vc].group);
    }
    domain_.activate(handle_);
}

template <bool is_small>
void Router::allocate_vcs(std::uint32_t index)
{
    if (adaptive_) {
        allocate_adaptively(index);
        return;
    }
    Group& group = groups_[index];
    for (;;) {
        std::uint32_t input_vc = BitSet::none;
        if constexpr (is_small) {
            const std::uint64_t requests = requests_.word(index);
            input_vc = requests == 0 ? BitSet::none : next_bit_in_turn(requests, group.last_request);
        } else {
            input_vc = requests_.round_robin(index, group.last_request);
        }
        if (input_vc == BitSet::none)
            return;
        const std::uint32_t output_vc =
            group.range.count == 1 && free_.contains(group.range.first) ? group.range.first : free_vc(group);
        if (output_vc == BitSet::none)
            return; // they sleep until a tail releases a virtual channel of the group
        requests_.erase(index, input_vc);
        group.last_request = input_vc;
        group.last_won = output_vc;
        win_vc(input_vc, output_vc);
    }
}

std::uint32_t Router::free_vc(const Group& group) const
{
    if (group.range.count > vcs_)
        return free_vc_of_emptiest_link(group);
    const std::uint32_t end = group.range.first + group.range.count;
    std::uint32_t found = free_.next(group.last_won + 1);
    if (found >= end)
        found = free_.next(group.range.first);
    return found < end ? found : BitSet::none;
}

/// Of several ejection links the next one in turn of those that the fewest packets use: virtual channels of
/// one link share its bandwidth, two links do not.
std::uint32_t Router::free_vc_of_emptiest_link(const Group& group) const
{
    const std::uint32_t links = group.range.count / vcs_;
    const std::uint32_t last = (group.last_won - group.range.first) / vcs_;
    std::uint32_t best = BitSet::none;
    unsigned most_free = 0;
    for (std::uint32_t i = 1; i <= links; ++i) {
        const std::uint32_t first = group.range.first + (last + i) % links * vcs_;
        unsigned free = 0;
        for (std::uint32_t vc = first; vc < first + vcs_; ++vc)
            free += free_.contains(vc) ? 1 : 0;
        if (free > most_free) {
            most_free = free;
            best = free_.next(first);
        }
    }
    return best;
}

void Router::win_vc(std::uint32_t input_vc, std::uint32_t output_vc)
{
    InputVc& vc = inputs_[input_vc];
    free_.erase(output_vc);
    outputs_[output_vc].owner = input_vc;
    blocked_cycles_ += domain_.cycle() - vc.eligible;
    const std::uint32_t port = vcs_ == 1 ? output_vc : output_vc / vcs_;
    vc.output_vc = &outputs_[output_vc];
    vc.output = &output_ports_[port];
    vc.on_link = static_cast<std::uint8_t>(output_vc - port * vcs_);
    vc.eligible = domain_.cycle() + pipeline_.switch_allocation;
    if (pipeline_.switch_allocation == 0) {
        vc.phase = Phase::active;
        make_ready(input_vc);
    } else {
        vc.phase = Phase::won_vc;
        if (pipeline_.switch_allocation == 1)
            won_.insert(input_vc);
        else
            domain_.schedule(vc.eligible, *this, event_code(competes_for_switch, input_vc));
    }
}

// Switch allocation and traversal.

void Router::make_ready(std::uint32_t input_vc)
{
    const InputVc& vc = inputs_[input_vc];
    if (!has_credit(vc, domain_.cycle())) {
        await_credit(vc);
        return;
    }
    input_ports_[vc.port].ready |= 1u << vc.vc;
    ready_inputs_.insert(vc.port);
    domain_.activate(handle_);
}

template <bool is_small>
bool Router::step()
{
    const auto is_empty = [](BitSet& set) {
        if constexpr (is_small)
            return set.word() == 0;
        else
            return set.empty();
    };
    if (!is_empty(won_)) {
        won_.for_each([this](std::uint32_t input_vc) {
            inputs_[input_vc].phase = Phase::active;
            make_ready(input_vc);
        });
        won_.clear();
    }
    if (!is_empty(groups_to_serve_)) {
        groups_to_serve_.for_each([this](std::uint32_t group) { allocate_vcs<is_small>(group); });
        groups_to_serve_.clear();
    }
    allocate_switch<is_small>();
    return !is_empty(ready_inputs_) || !is_empty(groups_to_serve_) || !is_empty(won_);
}

/// Inputs first, then outputs.
template <bool is_small>
[[gnu::always_inline]] inline void Router::allocate_switch()
{
    const Cycle now = domain_.cycle();
    if constexpr (is_small) {
        const std::uint64_t ready = ready_inputs_.word();
        if (ready == 0)
            return;
        if ((ready & (ready - 1)) == 0) { // the usual case: nothing to arbitrate
            const auto port = static_cast<std::uint32_t>(std::countr_zero(ready));
            if (!is_output_busy(choose_vc(port), now))
                traverse<true>(now, port);
            return;
        }
        std::uint64_t contended = 0;
        for_each_bit(ready, [&](std::uint32_t port) {
            const InputVc& chosen = choose_vc(port);
            if (is_output_busy(chosen, now))
                return;
            chosen.output->contenders |= 1ull << port;
            contended |= 1ull << index_of(*chosen.output);
        });
        for_each_bit(contended, [&](std::uint32_t output) {
            OutputPort& arbiter = output_ports_[output];
            traverse<true>(now, next_bit_in_turn(std::exchange(arbiter.contenders, 0), arbiter.last));
        });
    } else {
        ready_inputs_.for_each([this, now](std::uint32_t port) {
            const InputVc& chosen = choose_vc(port);
            if (is_output_busy(chosen, now))
                return;
            contenders_.insert(index_of(*chosen.output), port);
            contended_.insert(index_of(*chosen.output));
        });
        contended_.for_each([this, now](std::uint32_t output) {
            const std::uint32_t port = contenders_.round_robin(output, output_ports_[output].last);
            contenders_.clear(output);
            traverse<false>(now, port);
        });
        contended_.clear();
    }
}

/// The input's arbiter.
inline Router::InputVc& Router::choose_vc(std::uint32_t port)
{
    if (vcs_ == 1)
        return inputs_[port];
    InputPort& input = input_ports_[port];
    input.chosen = round_robin(input.ready, input.last);
    return inputs_[port * vcs_ + input.chosen];
}

/// Then another virtual channel of this input may have one that is free: it is the next one's turn.
inline bool Router::is_output_busy(const InputVc& chosen, Cycle now)
{
    if (!has_narrow_links_ || chosen.output->free_at <= now)
        return false;
    input_ports_[chosen.port].last = chosen.vc;
    return true;
}

/// The chosen virtual channel of the input has won the switch.
template <bool is_small>
inline void Router::traverse(Cycle now, std::uint32_t port)
{
    std::uint32_t chosen = 0;
    if (vcs_ != 1)
        input_ports_[port].last = chosen = input_ports_[port].chosen;
    InputVc& vc = inputs_[port * vcs_ + chosen];
    OutputPort& output = *vc.output;
    output.last = port;
    ++output.flits;
    blocked_cycles_ += now - vc.eligible;
    BufferSlot& from = vc.buffer.slot();
    const Flit flit = from.flit();
    if (from.empty(now + vc.credit_cycles) || vc.returns_credits) [[unlikely]]
        wake_sender(vc);
    vc.buffer.advance();
    if (output.is_plain) [[likely]] {
        BufferCursor& to = vc.output_vc->buffer;
        if (to.slot().fill(flit, now + output.flit_cycles))
            wake_receiver(vc, flit);
        to.advance();
        vc.eligible = now + 1;
        if (!flit.is_tail() && vc.buffer.slot().has_arrived(now + 1) && to.slot().has_credit(now + 1))
            return;
    } else {
        output.free_at = now + output.cycles_per_flit;
        vc.eligible = output.free_at;
        send(vc, flit, now);
    }
    if (flit.is_tail())
        release(vc);
    else if (stays_ready(vc))
        return;
    std::uint32_t others = 0;
    if (vcs_ != 1)
        others = input_ports_[port].ready &= ~(1u << chosen);
    if (others == 0) {
        if constexpr (is_small)
            ready_inputs_.word() &= ~(1ull << port);
        else
            ready_inputs_.erase(port);
    }
}

/// The credit of a flit that has left its buffer goes back to who waits for it, or counts it.
void Router::wake_sender(const InputVc& vc)
{
    const InputPort& port = input_ports_[vc.port];
    if (vc.returns_credits)
        port.link->return_credit(vc.vc);
    else
        domain_.schedule(domain_.cycle() + vc.credit_cycles, *port.sender, port.sender_code + vc.vc);
}

/// A flit that is waited for is on its way.
void Router::wake_receiver(const InputVc& vc, Flit flit)
{
    const OutputPort& output = *vc.output;
    domain_.schedule(domain_.cycle() + (flit.is_head() ? output.head_cycles : output.flit_cycles),
                     *output.receiver, output.receiver_code + vc.on_link);
}

/// Over a link that is not plain.
void Router::send(const InputVc& vc, Flit flit, Cycle now)
{
    OutputPort& output = *vc.output;
    if (output.counts_credits)
        --vc.output_vc->credits;
    if (!output.has_buffers) {
        send_event(output, vc.on_link, flit);
        return;
    }
    BufferCursor& to = vc.output_vc->buffer;
    if (to.slot().fill(flit, now + output.flit_cycles))
        wake_receiver(vc, flit);
    to.advance();
    if (output.link->is_watched())
        output.link->report(flit, vc.on_link);
}

/// For a link without buffers.
void Router::send_event(OutputPort& output, unsigned vc, Flit flit)
{
    if (!output.takes_tails_only) {
        output.link->send(flit, vc);
        return;
    }
    Packet& packet = packets_[flit.packet()];
    packet.arrived += packet.arrived == flit.sequence() ? 1 : 0;
    if (flit.is_tail())
        output.link->send(flit, vc);
    else if (output.link->is_watched())
        output.link->report(flit, vc);
}

/// The tail of a packet has left: the output is free, and the next head's route can be computed.
void Router::release(InputVc& vc)
{
    vc.output_vc->owner = BitSet::none;
    free_.insert(index_of(*vc.output_vc));
    if (!requests_.empty(vc.group))
        groups_to_serve_.insert(vc.group);
    vc.phase = Phase::idle;
    BufferSlot& slot = vc.buffer.slot();
    if (slot.is_full())
        domain_.schedule(std::max(domain_.cycle() + 1, slot.cycle()) + pipeline_.route_computation +
                             pipeline_.vc_allocation - 1,
                         *this, event_code(flit_is_due, index_of(vc)));
    else
        slot.await();
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
