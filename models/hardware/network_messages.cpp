// Network as a MessageNetwork: packets as messages, and the kernel run from cycle to cycle.
#include "models/hardware/deadlock_watch.hpp"
#include "models/hardware/kernel.hpp"
#include "models/hardware/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

namespace {

NetworkMessage message_of(const Packet& packet)
{
    // A head is routed once more than it crosses channels: to the ejection link.
    const std::uint32_t hops = packet.next_output == 0 ? 0 : packet.next_output - 1;
    return {packet.source, packet.destination, packet.flits, packet.address, packet.created, packet.injected,
            packet.step,   packet.arrived,     hops};
}

} // namespace

// The ends.

void Network::Port::packet_sent(const Packet& packet)
{
    client_.message_sent(message_of(packet));
}

void Network::Port::packet_arrived(const Packet& packet)
{
    client_.message_arrived(message_of(packet), id_);
}

bool Network::Port::takes(const Packet& packet)
{
    return client_.takes(message_of(packet));
}

void Network::attach(MessageClient& client, std::uint8_t number)
{
    timers_.clients[number] = &client;
    // Only some of those that are lost come to an interface.
    packets_.tell_losses([this](const Packet& packet) {
        if (MessageClient* const of = timers_.clients[packet.client])
            of->message_lost(message_of(packet));
    });
    for (ProcessorId id = 0; id < interfaces_.size(); ++id)
        interfaces_[id]->attach(ports_.emplace_back(client, id), number);
}

void Network::set_gate(ProcessorId id)
{
    interfaces_[id]->set_gate(ports_[id]);
}

void Network::send(const Sending& sending, const Route& route)
{
    enter(make_packet(sending.source, sending.destination, sending.flits, route), sending);
}

void Network::send(const Sending& sending, const Routing& routing)
{
    enter(make_packet(sending.source, sending.destination, sending.flits, routing), sending);
}

void Network::send_multicast(std::span<const Sending> to_each, const Routing& routing)
{
    if (config_.multicast == Multicast::unicasts || to_each.size() == 1) {
        MessageNetwork::send_multicast(to_each, routing);
        return;
    }
    std::vector<Leaf> leaves;
    std::vector<Route> routes;
    for (const Sending& sending : to_each) {
        routes.push_back(routing.route(sending.source, sending.destination));
        leaves.push_back({&sending, {}});
        set_outputs(leaves.back().outputs, routes.back(), sending.destination);
    }
    std::ranges::stable_sort(leaves, {}, &Leaf::outputs);
    const PacketId tree = make_tree(leaves, 0);
    if (reservations_)
        reserve(tree, to_each, routes);
    interfaces_[to_each.front().source]->send(tree);
}

/// Virtual channels that are reserved together: those of a class of a channel, and behind them those for a
/// destination.
std::vector<unsigned> Network::tree_channels() const
{
    std::vector<unsigned> counts;
    for (ChannelId id = 0; id < topology_.channel_count(); ++id) {
        const NetworkPlan::End& from = plan_.links[id].from;
        for (unsigned of_class = 0; of_class < vc_classes_; ++of_class)
            counts.push_back(plan_.routers[from.owner].groups[from.port * vc_classes_ + of_class].count);
    }
    for (ProcessorId id = 0; id < topology_.processor_count(); ++id)
        counts.push_back(
            plan_.routers[topology_.processor(id).ejection].groups[plan_.ejection_group[id]].count);
    return counts;
}

void Network::reserve(PacketId packet, std::span<const Sending> to_each, std::span<const Route> routes)
{
    TreeReservations::Tree tree{to_each.front().source, {}, 0, to_each.front().keeps_reservation};
    for (std::size_t i = 0; i < routes.size(); ++i) {
        Cycle head = 0;
        for (const Hop& hop : routes[i]) {
            tree.channels.push_back(hop.channel * vc_classes_ + hop.vc_class);
            head += config_.router_cycles_of(topology_, topology_.channel(hop.channel).source) +
                    plan_.links[hop.channel].config.latency_cycles;
        }
        tree.channels.push_back(static_cast<std::uint32_t>(topology_.channel_count()) * vc_classes_ +
                                to_each[i].destination);
        tree.head_cycles = std::max(tree.head_cycles, head);
    }
    std::ranges::sort(tree.channels);
    tree.channels.erase(std::unique(tree.channels.begin(), tree.channels.end()), tree.channels.end());
    reservations_->add(packet, std::move(tree));
}

/// Of leaves in the order of their outputs, which are the same ones for so many routers.
PacketId Network::make_tree(std::span<const Leaf> leaves, std::size_t routed)
{
    const std::vector<std::uint32_t>& first = leaves.front().outputs;
    const std::vector<std::uint32_t>& last = leaves.back().outputs;
    std::size_t parts = routed; // all between the first and the last begin as these two do
    while (parts < first.size() && parts < last.size() && first[parts] == last[parts])
        ++parts;
    const PacketId id = packets_.acquire();
    packets_[id].outputs.assign(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(parts));
    packets_[id].next_output = static_cast<std::uint32_t>(routed);
    label(id, *std::ranges::min_element(leaves, {}, &Leaf::sending)->sending);
    if (leaves.size() == 1)
        return id;
    std::vector<PacketId> branches;
    for (std::size_t begin = 0, end = 0; begin < leaves.size(); begin = end) {
        while (end < leaves.size() && leaves[end].outputs[parts] == leaves[begin].outputs[parts])
            ++end;
        branches.push_back(make_tree(leaves.subspan(begin, end - begin), parts));
    }
    packets_[id].detour = std::move(branches);
    packets_[id].is_tree = true;
    return id;
}

/// Whose it is.
void Network::label(PacketId id, const Sending& sending)
{
    Packet& packet = packets_[id];
    packet.source = sending.source;
    packet.destination = sending.destination;
    packet.flits = sending.flits;
    packet.step = sending.number;
    packet.address = sending.tag;
    packet.client = sending.client;
    packet.priority = sending.priority;
}

void Network::enter(PacketId id, const Sending& sending)
{
    label(id, sending);
    interfaces_[sending.source]->send(id);
}

void Network::set_timer(std::uint64_t at, std::uint32_t code, std::uint8_t client)
{
    domain_.schedule(at, timers_, client, code);
}

void Network::observe(HoldObserver& observer)
{
    watch_links().add(observer);
}

void Network::observe_buffers(BufferObserver& observer)
{
    const bool has_faults =
        std::ranges::any_of(links_, [](const auto& link) { return link->fault() != nullptr; });
    if (!own_clocks_.empty() || has_faults)
        throw std::invalid_argument(fmt::format(
            "{}: flits in buffers are counted with one clock, and where nothing fails", topology_.name()));
    if (config_.multicast != Multicast::unicasts)
        throw std::invalid_argument(fmt::format(
            "{}: flits in buffers are not counted where routers copy multicasts", topology_.name()));
    watch_links().tell(observer);
}

Network::Watch& Network::watch_links()
{
    if (!watch_links_) {
        watch_links_.emplace(*this);
        for (const auto& link : links_)
            link->observe(*watch_links_);
    }
    return *watch_links_;
}

Network::Watch::Watch(const Network& network)
    : network_(network), from_(std::size_t{network.plan().links()} * network.plan().vcs(), none)
{
}

/// All flits of a packet go the way of its head, and no others come between them in a virtual channel.
void Network::Watch::flit_enters(std::uint32_t link, unsigned vc, Flit flit, Cycle at)
{
    if (buffers_ == nullptr)
        return;
    const LinkPlan& plan = network_.plan();
    const std::uint32_t channel = link * plan.vcs() + vc;
    if (flit.is_head()) {
        if (flit.packet() >= head_at_.size())
            head_at_.resize(flit.packet() + 1, none);
        from_[channel] = plan.is_injection(link) ? none : head_at_[flit.packet()];
        head_at_[flit.packet()] = channel;
    }
    const Cycle sent = at - plan.departure_cycles(link);
    if (const std::uint32_t from = from_[channel]; from != none)
        buffers_->flit_leaves(from / plan.vcs(), from % plan.vcs(), sent);
    if (!plan.is_ejection(link))
        buffers_->flit_comes(link, vc, sent + plan.timing(link).flit_cycles);
}

void Network::Watch::head_enters(std::uint32_t link, unsigned vc, PacketId, Cycle at)
{
    if (!observers_.empty())
        begin_[{link, vc}] = at;
}

void Network::Watch::tail_enters(std::uint32_t link, unsigned vc, PacketId id, Cycle at)
{
    if (observers_.empty())
        return;
    const Packet& packet = network_.packets_[id];
    const LinkPlan& plan = network_.plan();
    const Cycle end = at + plan.network_cycles(link, plan.timing(link).cycles_per_flit);
    for (HoldObserver* const observer : observers_)
        observer->channel_held(message_of(packet), {link, vc, begin_.at({link, vc}), end}, packet.client);
}

// A run.

double Network::now_ns() const
{
    // Times are whole picoseconds: dividing them by a time keeps them exact.
    return sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS);
}

std::uint64_t Network::next_cycle() const
{
    if (!sc_core::sc_pending_activity())
        return never;
    return (sc_core::sc_time_stamp() + sc_core::sc_time_to_pending_activity()).value() /
           domain_.period().value();
}

void Network::run_to(std::uint64_t end)
{
    constexpr Cycle poll_interval_cycles = 1024;
    const auto time_of = [&](Cycle cycle) {
        return sc_core::sc_time::from_value(domain_.period().value() * cycle);
    };
    const sc_core::sc_time last = time_of(end);
    if (sc_core::sc_get_status() == sc_core::SC_ELABORATION)
        run_kernel(sc_core::SC_ZERO_TIME); // what happens first is known only then
    if (watch_ == nullptr)
        watch_ = std::make_unique<DeadlockWatch>(*this);
    while (!deadlock_ && sc_core::sc_time_stamp() < last && sc_core::sc_pending_activity()) {
        // Idle time is skipped: the next look comes after the next thing that happens.
        const sc_core::sc_time idle = sc_core::sc_time_to_pending_activity();
        const sc_core::sc_time left = last - sc_core::sc_time_stamp();
        const sc_core::sc_time interval = time_of(poll_interval_cycles);
        const sc_core::sc_time next = idle < left - std::min(left, interval) ? idle + interval : left;
        run_kernel(next);
        if (const std::vector<WaitEdge> cycle = watch_->look(domain_.now()); !cycle.empty())
            deadlock_ = {now_ns(), waits_of(cycle)};
    }
}

void Network::run_through(std::uint64_t cycle)
{
    if (sc_core::sc_get_status() == sc_core::SC_ELABORATION)
        run_kernel(sc_core::SC_ZERO_TIME);
    const sc_core::sc_time last = sc_core::sc_time::from_value(domain_.period().value() * cycle);
    // The kernel stops before what happens at the end of the time that it is given.
    for (;;) {
        while (sc_core::sc_pending_activity_at_current_time())
            run_kernel(sc_core::SC_ZERO_TIME);
        if (!sc_core::sc_pending_activity() ||
            sc_core::sc_time_stamp() + sc_core::sc_time_to_pending_activity() > last)
            return;
        run_kernel(sc_core::sc_time_to_pending_activity());
    }
}

void Network::drain()
{
    // Before the first cycle what will happen is not known; later an empty network may be all that there is.
    if (sc_core::sc_get_status() == sc_core::SC_ELABORATION || sc_core::sc_pending_activity())
        run_kernel();
}

std::vector<MessageWait> Network::find_waiting_cycle() const
{
    return waits_of(nocturne::find_waiting_cycle(*this));
}

std::vector<MessageWait> Network::waits_of(std::span<const WaitEdge> cycle) const
{
    std::vector<MessageWait> waits;
    for (const WaitEdge& edge : cycle)
        waits.push_back({message_of(packets_[edge.packet]), edge.link, edge.vc, edge.wanted_link});
    return waits;
}

} // namespace nocturne
