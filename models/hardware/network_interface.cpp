#include "models/hardware/network_interface.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace nocturne {

namespace {

// InterfaceEvent codes: what falls due, the port and the virtual channel.
enum InterfaceEvent : std::uint32_t {
    packet_available = 0,
    flit_ejected = 1,
    injection_credit = 2,
    tail_leaves = 3 // of a burst, now; or a way has been reserved
};
constexpr unsigned interface_event_shift = 30;
constexpr unsigned port_shift = 5; // there are at most 32 virtual channels
constexpr std::uint32_t interface_code(InterfaceEvent event, std::uint32_t port)
{
    return event << interface_event_shift | port << port_shift;
}

} // namespace

NetworkInterface::NetworkInterface(ClockDomain& domain, PacketPool& packets,
                                   const NetworkInterfaceConfig& config)
    : domain_(domain), packets_(packets), config_(config), handle_(domain.add(*this)),
      injection_ports_(config.inject_ports), ejection_ports_(config.eject_ports)
{
    for (InjectionPort& port : injection_ports_) {
        port.credits.assign(config_.vcs, config_.buffer_flits);
        port.vc = config_.inject_vcs - 1;
        port.pace = Pace(config_.rate);
    }
}

void NetworkInterface::connect_output(std::uint32_t port, Link& link)
{
    injection_ports_[port].link = &link;
    link.connect_sender({.component = this,
                         .first_code = interface_code(injection_credit, port),
                         .counts_credits = false,
                         .flits = [this, port] { return flits_sent(injection_ports_[port]); },
                         .packets = [this, port] { return injection_ports_[port].packets; },
                         .refresh = [this, port] { look_at_injection(port); }});
}

void NetworkInterface::connect_input(std::uint32_t port, Link& link)
{
    const bool wants_flits = std::any_of(clients_.begin(), clients_.end(), [](const PacketClient* client) {
        return client != nullptr && client->wants_flits();
    });
    ejection_ports_[port].link = &link;
    link.connect_receiver({.component = this,
                           .first_code = interface_code(flit_ejected, port),
                           .is_sink = gate_ == nullptr,
                           .takes_tails_only = gate_ == nullptr && !wants_flits,
                           .refresh = [this, port] { look_at_ejection(port); }});
}

void NetworkInterface::look_at_links()
{
    for (std::uint32_t port = 0; port < injection_ports_.size(); ++port)
        look_at_injection(port);
    for (std::uint32_t port = 0; port < ejection_ports_.size(); ++port)
        look_at_ejection(port);
}

/// What the interface has to know of a link, where it is at hand.
void NetworkInterface::look_at_injection(std::uint32_t port)
{
    InjectionPort& injection = injection_ports_[port];
    injection.receiver = &injection.link->receiver();
    injection.is_watched = injection.link->is_watched();
    if (!injection.link->has_buffers())
        injection.buffers.clear();
    else if (injection.buffers.empty())
        injection.buffers = injection.receiver->buffers;
    injection.sure_credit_cycles = injection.link->credit_cycles() - 1;
    injection.sends_bursts = !injection.buffers.empty() && !injection.is_watched && injection.pace.is_full();
}

void NetworkInterface::look_at_ejection(std::uint32_t port)
{
    Link* const link = ejection_ports_[port].link;
    ejection_ports_[port] = {link, link->returns_credits(), link->takes_tails_only()};
}

void NetworkInterface::send(PacketId packet)
{
    if (queued_ == 0)
        first_ = packet;
    else
        packets_[last_].behind = packet;
    last_ = packet;
    ++queued_;
    packets_[packet].created = domain_.now();
    domain_.schedule(domain_.now() + config_.interface_cycles, *this, interface_code(packet_available, 0));
}

void NetworkInterface::on_event(std::uint32_t code, std::uint64_t data)
{
    const std::uint32_t port = (code & ((1u << interface_event_shift) - 1)) >> port_shift;
    const unsigned vc = code & ((1u << port_shift) - 1);
    switch (code >> interface_event_shift) {
    case packet_available:
        ++available_;
        domain_.activate(handle_);
        break;
    case flit_ejected:
        receive(port, Flit(data), vc);
        break;
    case injection_credit:
        take_credit(port, vc);
        break;
    default:
        domain_.activate(handle_);
    }
}

bool NetworkInterface::tick()
{
    bool more = false;
    const Cycle now = domain_.now();
    for (InjectionPort& port : injection_ports_) {
        tick(port);
        if (!port.busy)
            more = more || available_ > 0;
        else if (port.is_leaving)
            continue;
        else if (can_send(port, std::max(now + 1, port.free_at)))
            more = true;
        else
            await_credit(port);
    }
    return more;
}

void NetworkInterface::tick(InjectionPort& port)
{
    const Cycle now = domain_.now();
    if (port.is_leaving) {
        if (port.free_at == now + 1)
            end_packet(port);
        return;
    }
    if (!port.busy && available_ > 0)
        start_packet(port);
    const Cycle from = std::max(now, port.free_at);
    if (from > now && !port.sends_bursts)
        return;
    if (port.busy && can_send(port, from))
        send_flits(port, from);
}

void NetworkInterface::start_packet(InjectionPort& port)
{
    port.busy = true;
    port.packet = first_;
    port.sequence = 0;
    port.eligible = std::max(domain_.now(), port.free_at);
    first_ = packets_[first_].behind;
    --queued_;
    --available_;
    if (trees_ != nullptr)
        reserve(port);
}

/// The way of a multicast, unless it is one that needs none.
void NetworkInterface::reserve(InjectionPort& port)
{
    port.may_leave = 0;
    if (!trees_->has(port.packet))
        return;
    port.may_leave = std::numeric_limits<Cycle>::max();
    trees_->request(port.packet, [this, &port](Cycle at) {
        port.may_leave = port.eligible = std::max(at, port.eligible);
        domain_.schedule(std::max(domain_.now() + 1, port.may_leave), *this, interface_code(tail_leaves, 0));
    });
}

/// Does the router take a flit on that virtual channel in that cycle, as far as is known now?
bool NetworkInterface::has_credit(const InjectionPort& port, unsigned vc, Cycle at) const
{
    if (port.buffers.empty())
        return port.credits[vc] > 0;
    const Cycle sure = config_.vcs == 1 ? at : domain_.cycle() + port.sure_credit_cycles;
    return port.buffers[vc].slot().has_credit(std::min(at, sure));
}

/// Can the next flit leave? A head takes the next virtual channel in turn that has a credit.
bool NetworkInterface::can_send(const InjectionPort& port, Cycle at) const
{
    if (port.sequence > 0)
        return has_credit(port, port.vc, at);
    if (at < port.may_leave)
        return false;
    for (unsigned vc = 0; vc < config_.inject_vcs; ++vc)
        if (has_credit(port, vc, at))
            return true;
    return false;
}

/// An event will tell of the next credit that the flit could use, unless it does so anyway.
void NetworkInterface::await_credit(const InjectionPort& port)
{
    if (port.buffers.empty())
        return;
    for (unsigned vc = 0; vc < config_.inject_vcs; ++vc) {
        if (port.sequence > 0 && vc != port.vc)
            continue;
        BufferSlot& slot = port.buffers[vc].slot();
        if (slot.is_full())
            slot.await();
        else
            domain_.schedule(slot.cycle(), *this, port.link->sender().first_code + vc);
    }
}

/// The next flit leaves in that cycle, and in a burst those behind it in the cycles after that.
void NetworkInterface::send_flits(InjectionPort& port, Cycle from)
{
    Packet& packet = packets_[port.packet];
    if (port.sequence == 0) {
        do
            port.vc = (port.vc + 1) % config_.inject_vcs;
        while (!has_credit(port, port.vc, from));
        packet.injected = from;
        ++port.packets;
    }
    blocked_cycles_ += from - port.eligible;
    Cycle leaves = from;
    do
        commit(port, Flit(port.packet, port.sequence++, packet.flits), leaves++);
    while (port.sends_bursts && port.sequence < packet.flits && has_credit(port, port.vc, leaves));
    port.flits += leaves - from;
    port.eligible = port.free_at = port.pace.is_full() ? leaves : port.pace.next(from);
    if (port.sequence < packet.flits)
        return;
    if (leaves == domain_.now() + 1) {
        end_packet(port);
    } else {
        port.is_leaving = true;
        domain_.schedule(leaves - 1, *this, interface_code(tail_leaves, 0));
    }
}

/// The tail leaves in the present cycle.
void NetworkInterface::end_packet(InjectionPort& port)
{
    port.busy = port.is_leaving = false;
    if (trees_ != nullptr && trees_->has(port.packet))
        trees_->sent(port.packet);
    const Packet& packet = packets_[port.packet];
    clients_[packet.client]->packet_sent(packet);
}

void NetworkInterface::commit(InjectionPort& port, Flit flit, Cycle leaves)
{
    if (port.buffers.empty()) {
        --port.credits[port.vc];
        port.link->send(flit, port.vc, leaves);
        return;
    }
    const Cycle arrival = leaves + port.link->flit_cycles();
    if (port.buffers[port.vc].slot().fill(flit, arrival))
        domain_.schedule(arrival + (flit.is_head() ? port.receiver->head_cycles : 0),
                         *port.receiver->component, port.receiver->first_due_code + port.vc);
    port.buffers[port.vc].advance();
    if (port.is_watched)
        port.link->report(flit, port.vc);
}

std::uint64_t NetworkInterface::flits_sent(const InjectionPort& port) const
{
    const Cycle next = domain_.settled() + 1;
    return port.flits - (port.free_at > next && port.pace.is_full() ? port.free_at - next : 0);
}

void NetworkInterface::take_credit(unsigned port, unsigned vc)
{
    if (injection_ports_[port].buffers.empty())
        ++injection_ports_[port].credits[vc];
    if (injection_ports_[port].busy)
        domain_.activate(handle_);
}

void NetworkInterface::set_gate(EjectionGate& gate)
{
    gate_ = &gate;
    held_.resize(std::size_t{config_.eject_ports} * config_.vcs);
}

void NetworkInterface::retry_ejection()
{
    // In turn: were it always the first, those behind it would starve.
    const auto queues = static_cast<unsigned>(held_.size());
    const unsigned first = last_taken_ + 1;
    for (unsigned i = 0; i < queues; ++i) {
        const unsigned queue = (first + i) % queues;
        take_held(queue / config_.vcs, queue % config_.vcs);
    }
}

void NetworkInterface::take_held(unsigned port, unsigned vc)
{
    std::deque<Flit>& held = held_[port * config_.vcs + vc];
    while (!held.empty()) {
        const Flit flit = held.front();
        if (flit.is_head()) {
            if (!gate_->takes(packets_[flit.packet()]))
                return;
            last_taken_ = port * config_.vcs + vc;
        }
        held.pop_front();
        take(port, flit, vc);
    }
}

void NetworkInterface::receive(unsigned port, Flit flit, unsigned vc)
{
    if (gate_ == nullptr) [[likely]]
        take(port, flit, vc);
    else
        hold(port, flit, vc);
}

// Kept apart: inlined, it would cost every flit of an interface without a gate.
[[gnu::noinline]] void NetworkInterface::hold(unsigned port, Flit flit, unsigned vc)
{
    held_[port * config_.vcs + vc].push_back(flit);
    take_held(port, vc);
}

void NetworkInterface::take(unsigned port, Flit flit, unsigned vc)
{
    const EjectionPort& from = ejection_ports_[port];
    if (from.returns_credits)
        from.link->return_credit(vc);
    if (flit.is_poison()) [[unlikely]] {
        discard(flit.packet());
        return;
    }
    Packet& packet = packets_[flit.packet()];
    if (!from.takes_tails_only) // or else the router has counted them
        packet.arrived += packet.arrived == flit.sequence() ? 1 : 0;
    PacketClient& client = *clients_[packet.client];
    client.flit_arrived(packet, flit.sequence());
    if (flit.is_tail()) {
        client.packet_arrived(packets_[flit.packet()]); // looked up again: a client that sends moves the pool
        packets_.release(flit.packet());
    }
}

void NetworkInterface::discard(PacketId packet)
{
    clients_[packets_[packet].client]->packet_discarded(packets_[packet]);
    packets_.end_piece(packet);
}

std::uint64_t NetworkInterface::credits() const
{
    std::uint64_t sum = 0;
    for (const InjectionPort& port : injection_ports_) {
        if (port.buffers.empty())
            sum = std::accumulate(port.credits.begin(), port.credits.end(), sum);
        for (const BufferCursor& buffer : port.buffers)
            sum += buffer.places();
    }
    return sum;
}

} // namespace nocturne
