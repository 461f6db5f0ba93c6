#include "models/hardware/router.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace nocturne {

Router::Router(ClockDomain& domain, PacketPool& packets, const RouterConfig& config, Arena& arena)
    : domain_(domain), packets_(packets), vcs_(config.vcs), vc_mask_(~0u >> (32 - config.vcs)),
      vc_reciprocal_(((1ull << 32) + vcs_ - 1) / vcs_), ready_inputs_(config.buffer_flits.size()),
      won_(config.buffer_flits.size() * vcs_), groups_to_serve_(config.groups.size()),
      is_in_large_network_(arena.is_large()), inputs_(arena.take<InputVc>(config.buffer_flits.size() * vcs_)),
      output_ports_(arena.take<OutputPort>(config.outputs.size())),
      outputs_(arena.take<OutputVc>(config.outputs.size() * vcs_)),
      input_ports_(arena.take<InputPort>(config.buffer_flits.size())),
      groups_(arena.take<Group>(config.groups.size())),
      requests_(inputs_.size(), arena.take<std::uint64_t>(BitRows::words(groups_.size(), inputs_.size()))),
      handle_(domain.add(*this, cache_footprint_bytes(arena))), free_(outputs_.size()),
      pipeline_(config.pipeline), output_links_(output_ports_.size()), allocation_(config.allocation),
      adaptive_(config.adaptive), chooser_(config.chooser),
      selection_{static_cast<std::uint32_t>(output_ports_.size() - 1),
                 SplitMix64(adaptive_ ? SplitMix64(adaptive_->seed ^ (adaptive_->router << 32))() : 0)},
      tails_(inputs_.size()), contenders_(output_ports_.size(), input_ports_.size()),
      contended_(output_ports_.size())
{
    BufferSlot* slots = arena.take<BufferSlot>(buffer_slots(config)).data();
    for (std::uint32_t i = 0; i < inputs_.size(); ++i) {
        InputVc& vc = inputs_[i];
        vc.port = i / vcs_;
        vc.vc = static_cast<std::uint8_t>(i % vcs_);
        vc.last_won = static_cast<std::uint32_t>(outputs_.size() - 1);
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
        output_ports_[port].last = static_cast<std::uint32_t>(input_ports_.size() - 1);
        if (!config.outputs[port].rate.is_full()) {
            paces_.resize(output_ports_.size());
            paces_[port] = Pace(config.outputs[port].rate);
        }
        if (config.outputs[port].pool != 0) {
            shared_places_.resize(output_ports_.size());
            shared_places_[port] = {config.outputs[port].credits, config.outputs[port].pool};
            output_ports_[port].shares_places = true;
            lacks_since_.resize(inputs_.size());
        }
        output_ports_[port].is_narrow =
            config.outputs[port].cycles_per_flit > 1 || !config.outputs[port].rate.is_full();
        has_narrow_links_ = has_narrow_links_ || output_ports_[port].is_narrow;
    }
    for (InputPort& port : input_ports_) {
        port.last = vcs_ - 1;
        port.last_output = selection_.last_chosen;
    }
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const OutputGroup& range = config.groups[i];
        groups_[i] = {range, static_cast<std::uint32_t>(inputs_.size() - 1), range.first + range.count - 1};
    }
    make_allocators();
}

/// Of a network that does not fit into the caches, all but the buffers.
std::size_t Router::cache_footprint_bytes(const Arena& arena) const
{
    return arena.is_large()
               ? static_cast<std::size_t>(arena.next() - reinterpret_cast<const std::byte*>(this))
               : 0;
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
           Arena::bytes_of<InputPort>(inputs) + Arena::bytes_of<Group>(config.groups.size()) +
           Arena::bytes_of<std::uint64_t>(BitRows::words(config.groups.size(), inputs * config.vcs)) +
           Arena::bytes_of<BufferSlot>(buffer_slots(config));
}

Receiver Router::receiver_at(std::uint32_t port)
{
    Receiver receiver{.component = this,
                      .first_code = event_code(flit_arrives, port * vcs_),
                      .first_due_code = event_code(flit_is_due, port * vcs_),
                      .first_loss_code = event_code(flits_are_taken_back, port * vcs_),
                      .head_cycles = pipeline_.route_computation + pipeline_.vc_allocation - 1,
                      .refresh = [this, port] { look_at_input(port); }};
    for (std::uint32_t vc = port * vcs_; vc < (port + 1) * vcs_; ++vc)
        receiver.buffers.push_back(inputs_[vc].buffer);
    return receiver;
}

void Router::connect_input(std::uint32_t port, Link& link)
{
    link.connect_receiver(receiver_at(port));
    input_ports_[port].link = &link;
}

Receiver Router::connect_fork(std::uint32_t port, Clocked& fork, std::uint32_t credit_code)
{
    input_ports_[port].sender = &fork;
    input_ports_[port].sender_code = credit_code;
    for (std::uint32_t vc = port * vcs_; vc < (port + 1) * vcs_; ++vc)
        inputs_[vc].credit_cycles = 1;
    return receiver_at(port);
}

void Router::connect_output(std::uint32_t port, Link& link)
{
    Sender sender{.component = this,
                  .first_code = event_code(credit_arrives, port * vcs_),
                  .counts_credits = false,
                  .flits = [this, port] { return flits(port); },
                  .packets = [this, port] { return packets(port); },
                  .refresh = [this, port] { copy_link_parameters(port); }};
    if (adaptive_ && port < adaptive_->depth.size()) {
        sender.component = &credit_sink_;
        sender.first_code = port * vcs_;
        sender.counts_credits = true;
    }
    if (port < chooser_.depth.size() || output_ports_[port].shares_places)
        sender.counts_credits = true;
    link.connect_sender(std::move(sender));
    output_links_[port] = &link;
}

void Router::look_at_links()
{
    for (std::uint32_t port = 0; port < inputs(); ++port)
        look_at_input(port);
    for (std::uint32_t port = 0; port < outputs(); ++port)
        copy_link_parameters(port);
}

/// What the router has to know of a link, where it is at hand.
void Router::look_at_input(std::uint32_t port)
{
    if (input_ports_[port].link == nullptr)
        return; // a fork's
    const Link& link = *input_ports_[port].link;
    input_ports_[port].sender = link.sender().component;
    input_ports_[port].sender_code = link.sender().first_code;
    for (std::uint32_t vc = port * vcs_; vc < (port + 1) * vcs_; ++vc) {
        inputs_[vc].returns_credits = link.returns_credits();
        inputs_[vc].credit_cycles = link.credit_cycles();
    }
}

void Router::copy_link_parameters(std::uint32_t port)
{
    OutputPort& output = output_ports_[port];
    const Link& link = *output_links_[port];
    const Receiver& receiver = link.receiver();
    show_credits_to(port, receiver);
    output.flit_cycles = link.flit_cycles();
    output.head_cycles = output.flit_cycles + receiver.head_cycles;
    output.sure_credit_cycles = link.credit_cycles() - 1;
    output.has_buffers = link.has_buffers();
    output.counts_credits = link.returns_credits();
    output.takes_tails_only = link.takes_tails_only();
    output.is_plain = output.has_buffers && !output.counts_credits && !link.is_watched() && !output.is_narrow;
    output.takes_bursts = takes_bursts(output);
    output.receiver = receiver.component;
    output.receiver_code = receiver.first_due_code;
    for (std::uint32_t vc = 0; output.has_buffers && vc < vcs_; ++vc)
        outputs_[port * vcs_ + vc].buffer.slots = receiver.buffers[vc].slots;
    for (std::uint32_t vc = 0; output.has_buffers && vc < vcs_; ++vc)
        outputs_[port * vcs_ + vc].buffer.depth = receiver.buffers[vc].depth;
}

void Router::on_event(std::uint32_t code, std::uint64_t data)
{
    const std::uint32_t vc = code & ((1u << event_shift) - 1);
    switch (code >> event_shift) {
    case flit_arrives:
        receive(vc, Flit(data));
        break;
    case credit_arrives:
        take_credit(vc);
        break;
    case flit_is_due:
        take_flit(vc);
        break;
    case tail_has_left:
        end_burst(inputs_[vc]);
        break;
    case flits_are_taken_back:
        lose_flits(inputs_[vc], static_cast<std::uint32_t>(data));
        break;
    default:
        compete(vc);
    }
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
        domain_.schedule(domain_.cycle() + head_cycles, *this, event_code(flit_is_due, input_vc));
    else
        take_flit(input_vc);
}

inline void Router::route(std::uint32_t input_vc)
{
    InputVc& vc = inputs_[input_vc];
    Packet& packet = packets_[front(vc).packet()];
    if (packet.route_mode == RouteMode::choice) [[unlikely]]
        choose_route(packet);
    const std::uint32_t routed = packet.next_output++;
    vc.group = packet.route_mode == RouteMode::source ? packet.outputs[routed] : group_for(packet);
    vc.phase = Phase::waits_for_vc;
    request_vc(input_vc);
}

inline void Router::request_vc(std::uint32_t input_vc)
{
    if (inputs_[input_vc].group == any_group) {
        request_any(input_vc);
    } else {
        requests_.insert(inputs_[input_vc].group, input_vc);
        groups_to_serve_.insert(inputs_[input_vc].group);
    }
    domain_.activate(handle_);
}

/// The first flit of an input virtual channel has come; a head's route has been computed.
void Router::take_flit(std::uint32_t input_vc)
{
    InputVc& vc = inputs_[input_vc];
    const Cycle now = domain_.cycle();
    if (vc.phase == Phase::idle) {
        if (!vc.buffer.slot().has_arrived(now))
            return; // the router has failed in the meantime
        vc.eligible = now;
        route(input_vc);
        return;
    }
    if (vc.awaits != Awaits::flit)
        return;
    if (!vc.buffer.slot().has_arrived(now)) { // it has been taken back
        await_flit(vc);
        return;
    }
    vc.eligible = std::max(now, vc.output->free_at);
    if (vcs_ == 1 && sends_bursts(vc))
        continue_burst(vc, vc.eligible);
    else if (vc.eligible == now)
        make_ready(input_vc);
    else
        compete_later(vc);
}

/// In time, or not any more: flits may have been taken back, or the router may have failed in the meantime.
void Router::compete(std::uint32_t input_vc)
{
    InputVc& vc = inputs_[input_vc];
    const bool has_turn =
        vc.phase == Phase::won_vc || (vc.phase == Phase::active && vc.awaits == Awaits::turn);
    if (!has_turn || vc.eligible != domain_.cycle())
        return;
    vc.phase = Phase::active;
    make_ready(input_vc);
}

/// An event will tell of the next flit.
void Router::await_flit(InputVc& vc)
{
    vc.awaits = Awaits::flit;
    BufferSlot& slot = vc.buffer.slot();
    if (slot.is_full())
        domain_.schedule(slot.cycle(), *this, event_code(flit_is_due, index_of(vc)));
    else
        slot.await();
}

/// The first flit is there, but its link is busy until it is eligible.
void Router::compete_later(InputVc& vc)
{
    vc.awaits = Awaits::turn;
    domain_.schedule(vc.eligible, *this, event_code(competes_for_switch, index_of(vc)));
}

void Router::take_credit(std::uint32_t output_vc)
{
    OutputVc& output = outputs_[output_vc];
    const OutputPort& port = output_ports_[port_of(output_vc)];
    if (port.shares_places) [[unlikely]] {
        give_place_back(output_vc);
        return;
    }
    if (port.counts_credits && output.credits++ != 0)
        return;
    if (output.owner != BitSet::none)
        end_credit_wait(output.owner);
}

void Router::end_credit_wait(std::uint32_t input_vc)
{
    InputVc& vc = inputs_[input_vc];
    const Cycle now = domain_.cycle();
    if (vc.phase != Phase::active || vc.awaits != Awaits::credit)
        return;
    if (vcs_ == 1 && sends_bursts(vc)) {
        const Cycle from = std::max(now, vc.eligible);
        if (!vc.buffer.slot().has_arrived(from))
            return;
        credit_wait_cycles_ += from - vc.eligible;
        continue_burst(vc, from);
        return;
    }
    if (vc.eligible > now) { // behind a burst
        domain_.schedule(vc.eligible, *this, event_code(credit_arrives, index_of(*vc.output_vc)));
        return;
    }
    if (!has_credit(vc, now)) { // it has been taken back
        await_credit(vc);
        return;
    }
    const Cycle since = lacks_since_.empty() ? vc.eligible : std::max(vc.eligible, lacks_since_[input_vc]);
    credit_wait_cycles_ +=
        now - since; // where none are shared, only this virtual channel's flits use them up
    make_ready(input_vc);
}

/// An event will tell of the next credit, unless it does so anyway.
void Router::await_credit(InputVc& vc)
{
    vc.awaits = Awaits::credit;
    if (vc.output->counts_credits)
        return;
    BufferSlot& slot = vc.output_vc->buffer.slot();
    if (slot.is_full())
        slot.await();
    else
        domain_.schedule(slot.cycle(), *this, event_code(credit_arrives, index_of(*vc.output_vc)));
}

/// For a link without buffers.
void Router::send_event(OutputPort& output, unsigned vc, Flit flit, Cycle leaves)
{
    Link& link = link_of(output);
    if (!output.takes_tails_only) {
        link.send(flit, vc, leaves);
        return;
    }
    count_arrival(flit);
    if (flit.is_tail())
        link.send(flit, vc, leaves);
    else if (!output.takes_bursts && link.is_watched())
        link.report(flit, vc);
}

} // namespace nocturne
