#include "models/worm/worm_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace nocturne {

void require_common_parts(const Topology& topology)
{
    if (const std::string own = own_property(
            topology, {"pipeline", "pool", "vcs", "packets", "arbiter", "clock", "injection", "ejection"});
        !own.empty())
        throw std::invalid_argument(fmt::format("{}: {}; use the model flit", topology.name(), own));
}

namespace {

const Topology& checked_network(const Topology& topology, const HardwareConfig& config)
{
    require_common_parts(topology);
    if (config.multicast != Multicast::unicasts)
        throw std::invalid_argument(
            fmt::format("{}: routers that copy multicasts; use the model flit", topology.name()));
    return topology;
}

} // namespace

WormNetwork::WormNetwork(const Topology& topology, const HardwareConfig& config, PortModel ports,
                         const VcClasses& vc_classes)
    : plan_(checked_network(topology, config), config, ports, vc_classes), cycle_ns_(config.cycle_ns),
      lags_(plan_.timings(), plan_.pipeline().head_cycles()), unused_passages_(32, none),
      sources_(topology.processor_count())
{
    channel_states_.resize(std::size_t{plan_.links()} * plan_.vcs());
    for (std::uint32_t channel = 0; channel < channel_states_.size(); ++channel) {
        channel_states_[channel].link = channel / plan_.vcs();
        channel_states_[channel].timing = plan_.timing_index(channel / plan_.vcs());
    }
    for (std::uint32_t group = 0; group < plan_.groups(); ++group) {
        const LinkPlan::Group range = plan_.group(group);
        group_states_.push_back({.range = range, .waiting = {}, .last_won = range.first + range.count - 1});
    }
    idle_from_.resize(plan_.links());
    link_uses_.resize(plan_.links());
}

std::uint64_t WormNetwork::bytes() const
{
    const auto of = [](const auto& array) { return array.capacity() * sizeof array[0]; };
    return of(worms_) + of(passages_) + of(sources_) + of(channel_states_) + of(group_states_) +
           of(idle_from_) + of(link_uses_) + of(gates_);
}

std::uint64_t WormNetwork::of_link(std::uint32_t link, std::uint64_t ChannelState::* count) const
{
    std::uint64_t sum = 0;
    for (std::uint32_t vc = 0; vc < plan_.vcs(); ++vc)
        sum += channel_states_[link * plan_.vcs() + vc].*count;
    return sum;
}

void WormNetwork::append(List& list, WormId id)
{
    worms_[id].next = none;
    (list.first == none ? list.first : worms_[list.last].next) = id;
    list.last = id;
}

WormId WormNetwork::take_first(List& list)
{
    const WormId id = list.first;
    list.first = worms_[id].next;
    return id;
}

// Events.

// Inlined: one call less for each event.
[[gnu::always_inline]] inline void WormNetwork::handle(std::uint32_t event)
{
    const std::uint32_t index = event & index_mask;
    switch (event & ~index_mask) {
    case head_requests:
        head_requests_now(index);
        break;
    case source_sends:
        serve_source(index);
        break;
    case group_serves:
        serve_group(index);
        break;
    case tail_leaves:
        if (sources_[worms_[index].message.source].queued > 0)
            calendar_.schedule(now() + 1, source_sends | worms_[index].message.source);
        client_of(index).message_sent(worms_[index].message);
        break;
    case tail_arrives:
        arrive(index);
        break;
    case tail_passes:
        if (worms_[index].watched_at == now()) { // or its tail was to pass at another time
            worms_[index].watched_at = never;
            finalize(index);
        }
        break;
    case fault_begins:
        begin_fault(index);
        break;
    default:
        clients_[index >> client_shift]->timer(index & ((1u << client_shift) - 1));
    }
}

void WormNetwork::run_to(std::uint64_t end)
{
    for (std::uint32_t event = calendar_.next(end); event != Calendar::none; event = calendar_.next(end))
        handle(event);
}

void WormNetwork::run_through(std::uint64_t cycle)
{
    for (std::uint64_t next = calendar_.next_cycle(); next <= cycle && next != Calendar::never;
         next = calendar_.next_cycle())
        handle(calendar_.next(cycle + 1));
}

/// Unless a fault has killed it meanwhile.
void WormNetwork::head_requests_now(WormId id)
{
    Worm& worm = worms_[id];
    worm.is_requesting = false;
    if (worm.is_over)
        release(id);
    else if (worm.head != worm.last)
        request(id);
    else if (worm.gate == Gate::closed)
        ask_gate(id);
}

/// The tail has.
void WormNetwork::arrive(WormId id)
{
    if (worms_[id].gate == Gate::open)
        pass_buffer_on(passages_of(worms_[id])[worms_[id].last].channel, worms_[id].message.flits, now());
    if (!worms_[id].is_lost)
        client_of(id).message_arrived(worms_[id].message, worms_[id].message.destination);
    finish(id);
}

// Messages.

WormId WormNetwork::acquire_worm()
{
    const WormId id = unused_worm_;
    if (id == none) {
        worms_.emplace_back();
        return static_cast<WormId>(worms_.size() - 1);
    }
    unused_worm_ = worms_[id].next;
    return id;
}

void WormNetwork::send(const Sending& sending, const Route& route)
{
    const WormId id = acquire_worm();
    const auto last = static_cast<std::uint32_t>(route.size() + 1);
    const Gate gate = has_gate(sending.destination) ? Gate::closed : Gate::none;
    const std::uint32_t links = last + (gate == Gate::none ? 1 : 2); // behind the last one the processor
    const std::uint32_t passages = acquire_passages(links);
    Worm& worm = worms_[id];
    worm = {};
    worm.message = {sending.source, sending.destination, sending.flits, sending.tag, now(),
                    now(),          sending.number,      sending.flits, last - 1};
    worm.client = sending.client;
    worm.passages = passages;
    worm.size = size_class(links);
    worm.last = last;
    worm.gate = gate;
    worm.whole = sending.flits;
    if (!downs_.empty())
        worm.is_endangered = is_endangered(sending, route);
    Passage* const passage = passages_of(worm);
    passage[0].places = 0;
    std::uint64_t places = plan_.timing(plan_.first_injection_link(sending.source)).buffer_flits;
    for (std::uint32_t i = 1; i < last; ++i) {
        passage[i].group = plan_.group_of(route[i - 1]);
        passage[i].places = places;
        places += plan_.timing(route[i - 1].channel).buffer_flits;
    }
    passage[last].group = plan_.ejection_group(sending.destination);
    passage[last].places = places;
    if (gate == Gate::closed)
        passage[last + 1].places =
            places + plan_.timing(plan_.first_ejection_link(sending.destination)).buffer_flits;
    if (!plan_.is_full_rate()) {
        path_.clear();
        path_.push_back(plan_.timing_index(plan_.first_injection_link(sending.source)));
        for (const Hop& hop : route)
            path_.push_back(plan_.timing_index(hop.channel));
        path_.push_back(plan_.timing_index(plan_.first_ejection_link(sending.destination)));
        worm.lags = lags_.find(path_, sending.flits);
    }
    ++in_flight_;
    Source& source = sources_[sending.source];
    append(source.queue, id);
    ++source.queued;
    worm.arrival = now() + plan_.interface_cycles();
    calendar_.schedule(worm.arrival, source_sends | sending.source);
}

void WormNetwork::send(const Sending& sending, const Routing& routing)
{
    send(sending, routing.route(sending.source, sending.destination));
}

void WormNetwork::set_gate(ProcessorId id)
{
    gates_.resize(sources_.size());
    gates_[id].is_there = true;
    refuse_faults_at_gates();
}

void WormNetwork::refuse_faults_at_gates() const
{
    if (!gates_.empty() && !downs_.empty())
        throw std::invalid_argument(
            "model worm: faults, and processors that take messages only when they have "
            "room: both together take the model flit");
}

void WormNetwork::retry_gate(ProcessorId id)
{
    List asked = std::exchange(gates_[id].waiting, {});
    while (asked.first != none)
        ask_gate(take_first(asked));
}

void WormNetwork::observe_buffers(BufferObserver&)
{
    throw std::invalid_argument("model worm: flits in buffers take the model flit");
}

std::uint32_t WormNetwork::acquire_passages(std::uint32_t count)
{
    const std::uint8_t size = size_class(count);
    const std::uint32_t first = unused_passages_[size];
    if (first != none) {
        unused_passages_[size] = passages_[first].channel;
        return first;
    }
    passages_.resize(passages_.size() + (std::size_t{1} << size));
    return static_cast<std::uint32_t>(passages_.size() - (std::size_t{1} << size));
}

void WormNetwork::finish(WormId id)
{
    Worm& worm = worms_[id];
    passages_[worm.passages].channel = unused_passages_[worm.size];
    unused_passages_[worm.size] = worm.passages;
    worm.passages = none;
    worm.watched_at = never;
    --in_flight_;
    worm.is_over = worm.is_requesting; // a head that a fault has killed
    if (!worm.is_over)
        release(id);
}

void WormNetwork::release(WormId id)
{
    worms_[id].next = unused_worm_;
    unused_worm_ = id;
}

// Sources.

void WormNetwork::serve_source(ProcessorId id)
{
    Source& source = sources_[id];
    while (source.queued > 0 && worms_[source.queue.first].arrival <= now()) {
        const Injection next = next_injection(id);
        if (next.from > now()) {
            if (next.from != never)
                calendar_.schedule(next.from, source_sends | id);
            return;
        }
        const WormId message = take_first(source.queue);
        --source.queued;
        source.last_vc = next.channel % plan_.vcs();
        worms_[message].message.injected = now();
        depart(message, next.channel, now());
    }
}

/// The virtual channel, of an injection link that is idle, that first has a credit; the next one in turn of
/// several.
WormNetwork::Injection WormNetwork::next_injection(ProcessorId id) const
{
    const std::uint32_t vcs = plan_.vcs();
    const std::uint32_t first = plan_.first_injection_link(id);
    Injection best{none, never};
    for (std::uint32_t link = first; link < first + plan_.injection_links(id); ++link)
        for (std::uint32_t i = 1; i <= vcs; ++i) {
            const std::uint32_t next = sources_[id].last_vc + i;
            const std::uint32_t channel = link * vcs + (next < vcs ? next : next - vcs);
            const std::uint64_t from =
                std::max({channel_states_[channel].free_from, idle_from_[link], now()});
            if (from < best.from)
                best = {channel, from};
        }
    return best;
}

} // namespace nocturne
