#include "models/hardware/router.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace nocturne {

namespace {

// RouterEvent codes: what falls due, and the virtual channel that it is for.
enum RouterEvent : std::uint32_t {
    flit_arrives = 0,   // on a link without buffers: the flit itself
    credit_arrives = 1, // that is counted, or waited for
    flit_is_due = 2,    // in the buffer: a head can request its output
    competes_for_switch = 3
};
constexpr unsigned router_event_shift = 30;
constexpr std::uint32_t router_code(RouterEvent event, std::uint32_t vc)
{
    return event << router_event_shift | vc;
}

/// The first set bit after `last` in circular order; `mask` is not 0.
std::uint32_t round_robin(std::uint32_t mask, std::uint32_t last)
{
    const std::uint32_t after = last >= 31 ? 0 : mask & (~0u << (last + 1));
    return static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : mask));
}

} // namespace

Router::Router(ClockDomain& domain, PacketPool& packets, const RouterConfig& config, Arena& arena)
    : domain_(domain), packets_(packets), vcs_(config.vcs), ready_inputs_(config.buffer_flits.size()),
      won_(config.buffer_flits.size() * vcs_), groups_to_serve_(config.groups.size()),
      inputs_(arena.take<InputVc>(config.buffer_flits.size() * vcs_)),
      output_ports_(arena.take<OutputPort>(config.outputs.size())),
      outputs_(arena.take<OutputVc>(config.outputs.size() * vcs_)),
      input_ports_(arena.take<InputPort>(config.buffer_flits.size())),
      handle_(domain.add(*this, near_memory(arena))), free_(outputs_.size()),
      requests_(config.groups.size(), inputs_.size()), pipeline_(config.pipeline), adaptive_(config.adaptive),
      tails_(inputs_.size()), contenders_(output_ports_.size(), input_ports_.size()),
      contended_(output_ports_.size())
{
    BufferSlot* slots = arena.take<BufferSlot>(buffer_slots(config)).data();
    for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
        InputVc& vc = inputs_[i];
        vc.port = i / vcs_;
        vc.vc = static_cast<std::uint8_t>(i % vcs_);
        vc.buffer = {slots, 0, config.buffer_flits[vc.port]};
        vc.buffer.slot().await();
        slots += vc.buffer.depth;
    }
    for (std::uint32_t i = 0; i < outputs_.size(); ++i) {
        outputs_[i].credits = config.outputs[i / vcs_].credits;
        free_.insert(i);
    }
    for (std::size_t port = 0; port < output_ports_.size(); ++port) {
        output_ports_[port].cycles_per_flit = config.outputs[port].cycles_per_flit;
        has_narrow_links_ = has_narrow_links_ || config.outputs[port].cycles_per_flit > 1;
    }
    is_small_ = inputs_.size() <= 64 && outputs_.size() <= 64 && config.groups.size() <= 64;
    for (const OutputGroup& range : config.groups)
        groups_.push_back(
            {range, static_cast<std::uint32_t>(inputs_.size() - 1), range.first + range.count - 1});
}

/// Of a network that does not fit into the caches, all but the buffers.
NearMemory Router::near_memory(const Arena& arena) const
{
    return arena.is_large() ? NearMemory{reinterpret_cast<const std::byte*>(this), arena.next()}
                            : NearMemory{};
}

std::size_t Router::buffer_slots(const RouterConfig& config)
{
    return config.vcs *
           std::accumulate(config.buffer_flits.begin(), config.buffer_flits.end(), std::size_t{0});
}

std::size_t Router::bytes(const RouterConfig& config)
{
    const std::size_t inputs = config.buffer_flits.size();
    const std::size_t outputs = config.outputs.size();
    return Arena::bytes_of<Router>() + Arena::bytes_of<InputVc>(inputs * config.vcs) +
           Arena::bytes_of<OutputPort>(outputs) + Arena::bytes_of<OutputVc>(outputs * config.vcs) +
           Arena::bytes_of<InputPort>(inputs) + Arena::bytes_of<BufferSlot>(buffer_slots(config));
}

void Router::connect_input(std::uint32_t port, Link& link)
{
    Receiver receiver{.component = this,
                      .first_code = router_code(flit_arrives, port * vcs_),
                      .first_due_code = router_code(flit_is_due, port * vcs_),
                      .head_cycles = pipeline_.route_computation + pipeline_.vc_allocation - 1,
                      .refresh = [this, port] { look_at_input(port); }};
    for (std::uint32_t vc = port * vcs_; vc < (port + 1) * vcs_; ++vc)
        receiver.buffers.push_back(inputs_[vc].buffer);
    link.connect_receiver(std::move(receiver));
    input_ports_[port].link = &link;
}

void Router::connect_output(std::uint32_t port, Link& link)
{
    Sender sender{.component = this,
                  .first_code = router_code(credit_arrives, port * vcs_),
                  .counts_credits = false,
                  .flits = [this, port] { return output_ports_[port].flits; },
                  .refresh = [this, port] { look_at_output(port); }};
    if (adaptive_ && port < adaptive_->depth.size()) {
        sender.component = &credit_sink_;
        sender.first_code = port * vcs_;
        sender.counts_credits = true;
    }
    link.connect_sender(std::move(sender));
    output_ports_[port].link = &link;
}

void Router::look_at_links()
{
    for (std::uint32_t port = 0; port < inputs(); ++port)
        look_at_input(port);
    for (std::uint32_t port = 0; port < outputs(); ++port)
        look_at_output(port);
}

/// What the router has to know of a link, where it is at hand.
void Router::look_at_input(std::uint32_t port)
{
    const Link& link = *input_ports_[port].link;
    input_ports_[port].sender = link.sender().component;
    input_ports_[port].sender_code = link.sender().first_code;
    for (std::uint32_t vc = port * vcs_; vc < (port + 1) * vcs_; ++vc) {
        inputs_[vc].returns_credits = link.returns_credits();
        inputs_[vc].credit_cycles = link.credit_cycles();
    }
}

void Router::look_at_output(std::uint32_t port)
{
    OutputPort& output = output_ports_[port];
    const Receiver& receiver = output.link->receiver();
    output.flit_cycles = output.link->flit_cycles();
    output.head_cycles = output.flit_cycles + receiver.head_cycles;
    output.has_buffers = output.link->has_buffers();
    output.counts_credits = output.link->returns_credits();
    output.takes_tails_only = output.link->takes_tails_only();
    output.is_plain = output.has_buffers && !output.counts_credits && !output.link->is_watched() &&
                      output.cycles_per_flit == 1;
    output.receiver = receiver.component;
    output.receiver_code = receiver.first_due_code;
    for (std::uint32_t vc = 0; output.has_buffers && vc < vcs_; ++vc)
        outputs_[port * vcs_ + vc].buffer.slots = receiver.buffers[vc].slots;
    for (std::uint32_t vc = 0; output.has_buffers && vc < vcs_; ++vc)
        outputs_[port * vcs_ + vc].buffer.depth = receiver.buffers[vc].depth;
}

void Router::on_event(std::uint32_t code, std::uint64_t data)
{
    const std::uint32_t vc = code & ((1u << router_event_shift) - 1);
    switch (code >> router_event_shift) {
    case flit_arrives:
        receive(vc, Flit(data));
        break;
    case credit_arrives:
        take_credit(vc);
        break;
    case flit_is_due:
        take_flit(vc);
        break;
    default:
        if (inputs_[vc].phase == Phase::idle) // the router has failed in the meantime
            break;
        inputs_[vc].phase = Phase::active;
        make_ready(vc);
    }
}

bool Router::tick()
{
    return is_small_ ? step<true>() : step<false>();
}

// Buffers and credits.

/// A flit that comes as an event; those that are put into the buffer need none unless they are awaited.
void Router::receive(std::uint32_t input_vc, Flit flit)
{
    const BufferCursor& buffer = inputs_[input_vc].buffer;
    BufferCursor tail{buffer.slots, tails_[input_vc], buffer.depth};
    const bool is_awaited = tail.slot().fill(flit, domain_.cycle());
    tail.advance();
    tails_[input_vc] = tail.position;
    if (!is_awaited)
        return;
    const unsigned head_cycles = pipeline_.route_computation + pipeline_.vc_allocation - 1;
    if (inputs_[input_vc].phase == Phase::idle && head_cycles != 0)
        domain_.schedule(domain_.cycle() + head_cycles, *this, router_code(flit_is_due, input_vc));
    else
        take_flit(input_vc);
}

/// The first flit of an input virtual channel has come; a head's route has been computed.
void Router::take_flit(std::uint32_t input_vc)
{
    InputVc& vc = inputs_[input_vc];
    const Cycle now = domain_.cycle();
    if (!vc.buffer.slot().has_arrived(now))
        return; // the router has failed in the meantime
    if (vc.phase == Phase::idle) {
        vc.eligible = now;
        route(input_vc);
        return;
    }
    vc.eligible = std::max(now, vc.output->free_at);
    if (vc.eligible == now)
        make_ready(input_vc);
    else
        domain_.schedule(vc.eligible, *this, router_code(competes_for_switch, input_vc));
}

void Router::take_credit(std::uint32_t output_vc)
{
    OutputVc& output = outputs_[output_vc];
    if (output_ports_[output_vc / vcs_].counts_credits && output.credits++ != 0)
        return;
    if (output.owner != BitSet::none)
        end_credit_wait(output.owner);
}

void Router::end_credit_wait(std::uint32_t input_vc)
{
    const InputVc& vc = inputs_[input_vc];
    const Cycle now = domain_.cycle();
    if (vc.phase != Phase::active || vc.eligible > now || !vc.buffer.slot().has_arrived(now))
        return;
    credit_wait_cycles_ += now - vc.eligible; // only this virtual channel's flits use credits up
    make_ready(input_vc);
}

/// An event will tell of the next credit, unless it does so anyway.
void Router::await_credit(const InputVc& vc)
{
    if (vc.output->counts_credits)
        return;
    BufferSlot& slot = vc.output_vc->buffer.slot();
    if (slot.is_full())
        slot.await();
    else
        domain_.schedule(slot.cycle(), *this, router_code(credit_arrives, index_of(*vc.output_vc)));
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
            domain_.schedule(vc.eligible, *this, router_code(competes_for_switch, input_vc));
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
                         *this, router_code(flit_is_due, index_of(vc)));
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
        domain_.schedule(slot.cycle(), *this, router_code(flit_is_due, index_of(vc)));
    } else if (vc.eligible > next) {
        domain_.schedule(vc.eligible, *this, router_code(competes_for_switch, index_of(vc)));
    } else {
        if (has_credit(vc, next))
            return true;
        await_credit(vc);
    }
    return false;
}

RouterModule::RouterModule(const sc_core::sc_module_name& name, ClockDomain& domain, PacketPool& packets,
                           const RouterConfig& config, Arena& arena)
    : sc_module(name), in("in", config.buffer_flits.size()), out("out", config.outputs.size()),
      router_(new (arena.take_place<Router>()) Router(domain, packets, config, arena))
{
}

void RouterModule::end_of_elaboration()
{
    for (std::uint32_t port = 0; port < in.size(); ++port)
        router_->connect_input(port, *in[port].operator->());
    for (std::uint32_t port = 0; port < out.size(); ++port)
        router_->connect_output(port, *out[port].operator->());
}

std::vector<Router::Wait> Router::waits() const
{
    const Cycle now = domain_.settled();
    std::vector<Wait> result;
    for (const InputVc& vc : inputs_) {
        if (!vc.buffer.slot().has_arrived(now))
            continue;
        const Flit flit = front(vc);
        const auto waits_for = [&](const OutputGroup& wanted) {
            result.push_back({vc.port, vc.vc, flit.packet(), flit.sequence(),
                              packets_[flit.packet()].injected, wanted, vc.phase == Phase::active});
        };
        if (vc.phase == Phase::idle || vc.phase == Phase::waits_for_vc)
            for_each_wanted(vc, [&](std::uint32_t group) { waits_for(groups_[group].range); });
        else if (vc.phase == Phase::active && !has_credit(vc, now))
            waits_for({index_of(*vc.output_vc), 1});
    }
    return result;
}

std::optional<Router::InputChannel> Router::owner(std::uint32_t output_vc) const
{
    const std::uint32_t input_vc = outputs_[output_vc].owner;
    return input_vc == BitSet::none ? std::nullopt
                                    : std::optional(InputChannel{input_vc / vcs_, input_vc % vcs_});
}

} // namespace nocturne
