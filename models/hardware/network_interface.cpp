#include "models/hardware/network_interface.hpp"

#include <numeric>

namespace nocturne {

namespace {

// InterfaceEvent codes: what falls due, the port and the virtual channel.
enum InterfaceEvent : std::uint32_t { packet_available = 0, flit_ejected = 1, injection_credit = 2 };
constexpr unsigned interface_event_shift = 30;
constexpr unsigned port_shift = 5; // there are at most 32 virtual channels
constexpr std::uint32_t interface_code(InterfaceEvent event, std::uint32_t port)
{
    return event << interface_event_shift | port << port_shift;
}

} // namespace

NetworkInterface::NetworkInterface(const sc_core::sc_module_name& name, ClockDomain& domain,
                                   PacketPool& packets, const NetworkInterfaceConfig& config)
    : sc_module(name), out("out", config.inject_ports), in("in", config.eject_ports), domain_(domain),
      packets_(packets), config_(config), handle_(domain.add(*this)), injection_ports_(config.inject_ports)
{
    for (InjectionPort& port : injection_ports_) {
        port.credits.assign(config_.vcs, config_.buffer_flits);
        port.vc = config_.vcs - 1;
    }
}

void NetworkInterface::start_of_simulation()
{
    for (std::uint32_t port = 0; port < out.size(); ++port) {
        injection_ports_[port].link = out[port].operator->();
        injection_ports_[port].link->connect_sender(*this, interface_code(injection_credit, port));
    }
    for (std::uint32_t port = 0; port < in.size(); ++port) {
        ejection_links_.push_back(in[port].operator->());
        ejection_links_.back()->connect_receiver(*this, interface_code(flit_ejected, port));
    }
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
    default:
        take_credit(port, vc);
    }
}

bool NetworkInterface::tick()
{
    bool more = false;
    for (InjectionPort& port : injection_ports_) {
        if (!port.busy && available_ > 0)
            start_packet(port);
        if (port.busy && has_credit(port))
            send_flit(port);
        more = more || (port.busy ? has_credit(port) : available_ > 0);
    }
    return more;
}

void NetworkInterface::start_packet(InjectionPort& port)
{
    port.busy = true;
    port.packet = first_;
    port.sequence = 0;
    port.eligible = domain_.now();
    first_ = packets_[first_].behind;
    --queued_;
    --available_;
}

/// Can the next flit leave? A head takes the next virtual channel in turn that has a credit.
bool NetworkInterface::has_credit(InjectionPort& port)
{
    if (port.sequence > 0)
        return port.credits[port.vc] > 0;
    for (unsigned i = 1; i <= config_.vcs; ++i)
        if (port.credits[(port.vc + i) % config_.vcs] > 0)
            return true;
    return false;
}

void NetworkInterface::send_flit(InjectionPort& port)
{
    Packet& packet = packets_[port.packet];
    if (port.sequence == 0) {
        do
            port.vc = (port.vc + 1) % config_.vcs;
        while (port.credits[port.vc] == 0);
        packet.injected = domain_.now();
    }
    --port.credits[port.vc];
    blocked_cycles_ += domain_.now() - port.eligible;
    port.eligible = domain_.now() + 1;
    const Flit flit(port.packet, port.sequence++, packet.flits);
    port.link->send(flit, port.vc);
    if (flit.is_tail()) {
        port.busy = false;
        clients_[packet.client]->packet_sent(packet);
    }
}

void NetworkInterface::take_credit(unsigned port, unsigned vc)
{
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
    ejection_links_[port]->return_credit(vc);
    if (flit.is_poison()) [[unlikely]] {
        discard(flit.packet());
        return;
    }
    Packet& packet = packets_[flit.packet()];
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
    for (const InjectionPort& port : injection_ports_)
        sum = std::accumulate(port.credits.begin(), port.credits.end(), sum);
    return sum;
}

} // namespace nocturne
