// How heads and tails of messages move. Apart from the rest of WormNetwork, which is queues and memory.
#include "models/worm/worm_network.hpp"

#include <algorithm>

namespace nocturne {

// Virtual channels.

void WormNetwork::request(WormId id)
{
    const Worm& worm = worms_[id];
    const std::uint32_t group = passages_[worm.passages + worm.head + 1].group;
    GroupState& state = group_states_[group];
    if (state.waiting.first == none) {
        const std::uint32_t channel = free_channel(group);
        if (channel != none) {
            state.last_won = channel;
            depart(id, channel, now() + plan_.pipeline().switch_allocation);
            return;
        }
    }
    append(state.waiting, id);
    wake_group(group, next_release(group));
    block(id);
}

void WormNetwork::serve_group(std::uint32_t group)
{
    GroupState& state = group_states_[group];
    if (state.wake_at == now())
        state.wake_at = never;
    while (state.waiting.first != none) {
        const std::uint32_t channel = free_channel(group);
        if (channel == none) {
            wake_group(group, next_release(group));
            return;
        }
        state.last_won = channel;
        depart(take_first(state.waiting), channel, now() + plan_.pipeline().switch_allocation);
    }
}

/// Unless that is already due at that time or before.
void WormNetwork::wake_group(std::uint32_t group, std::uint64_t at)
{
    GroupState& state = group_states_[group];
    if (at >= state.wake_at)
        return;
    state.wake_at = std::max(at, now());
    calendar_.schedule(state.wake_at, group_serves | group);
}

/// The next one in turn that is free now; of several ejection links on that which the fewest messages use.
std::uint32_t WormNetwork::free_channel_of_several(std::uint32_t group) const
{
    const auto [first, count] = group_states_[group].range;
    const std::uint32_t vcs = plan_.vcs();
    const std::uint32_t in_link = std::min(count, vcs);
    const std::uint32_t links = count / in_link;
    const std::uint32_t last = group_states_[group].last_won - first;
    const std::uint32_t last_link = last / in_link, last_vc = last % in_link;
    std::uint32_t best = none;
    std::uint32_t most_free = 0;
    for (std::uint32_t i = 1; i <= links; ++i) {
        const std::uint32_t next_link = last_link + i;
        const std::uint32_t begin = first + (next_link < links ? next_link : next_link - links) * in_link;
        std::uint32_t free = 0;
        std::uint32_t found = none;
        for (std::uint32_t vc = 1; vc <= in_link; ++vc) {
            const std::uint32_t next_vc = last_vc + vc;
            const std::uint32_t channel = begin + (next_vc < in_link ? next_vc : next_vc - in_link);
            if (channel_states_[channel].free_from > now())
                continue;
            ++free;
            found = found == none ? channel : found;
        }
        if (free > most_free) {
            most_free = free;
            best = found;
        }
    }
    return best;
}

std::uint64_t WormNetwork::next_release(std::uint32_t group) const
{
    const auto [first, count] = group_states_[group].range;
    std::uint64_t earliest = never;
    for (std::uint32_t channel = first; channel < first + count; ++channel)
        earliest = std::min(earliest, channel_states_[channel].free_from);
    return earliest;
}

// Heads.

void WormNetwork::depart(WormId id, std::uint32_t channel, std::uint64_t at)
{
    Worm& worm = worms_[id];
    if (worm.is_blocked)
        unblock(worm, at - 1);
    const std::uint32_t index = ++worm.head;
    const std::uint32_t flits = worm.message.flits;
    ChannelState& state = channel_states_[channel];
    const LinkTiming& timing = plan_.timings()[state.timing];
    Passage& passage = passages_of(worm)[index];
    passage.channel = channel;
    const bool is_head_lost = worm.is_endangered && loses_head(state.link, at);
    if (is_head_lost) [[unlikely]]
        end_at(worm, index);
    const TailLag behind = lag(worm, index);
    passage.head = at;
    passage.since = at - 1;
    passage.left = flits;
    passage.rate = 1;
    passage.tail = at + behind.tail;
    passage.release = at + behind.release;
    state.free_from = never;
    state.owner = id;
    link_uses_[state.link].owned |= bit_of(channel);
    state.passage = worm.passages + index;
    state.occupied += is_head_lost ? 0 : flits;
    state.flits += flits;
    ++state.messages;
    if (index == 0) {
        idle_from_[state.link] = never;
    } else {
        ++message_hops_;
        flit_hops_ += flits;
        const Passage& before = (&passage)[-1];
        const std::uint64_t tail = before.tail + this->timing(before).flit_cycles;
        if (tail > passage.tail) {
            passage.release += tail - passage.tail;
            passage.tail = tail;
        }
        const std::uint64_t waited = at - worm.arrival - plan_.pipeline().head_cycles();
        if (waited > 0) {
            head_wait_cycles_ += waited;
            worm.has_interfered = true;
            delay_tail(worm, index, at, 0);
        }
    }
    if (plan_.vcs() > 1) {
        if (index > 0)
            set_crossing((&passage)[-1].channel, worm.passages + index);
        change_shares(channel);
        share_changed_links(at - 1);
    }
    worm.arrival = at + timing.flit_cycles;
    if (is_head_lost) [[unlikely]]
        lose(worm, 0);
    if (has_passed(worm))
        finalize(id);
    else
        enter_buffer(id);
    if (worms_[id].is_held) [[unlikely]]
        cut_when_moving(id);
}

void WormNetwork::enter_buffer(WormId id)
{
    Worm& worm = worms_[id];
    const Passage& passage = passages_of(worm)[worm.head];
    ChannelState& state = channel_states_[passage.channel];
    if (state.first_from != never) {
        become_first(id, state.first_from);
        return;
    }
    append(state.behind, id);
    worm.is_stuck = state.occupied >= timing(passage).buffer_flits;
    block(id);
    finalize(id);
}

/// The head is the first in its buffer from a cycle on, and has been routed some cycles later.
void WormNetwork::become_first(WormId id, std::uint64_t from)
{
    Worm& worm = worms_[id];
    const Pipeline& pipeline = plan_.pipeline();
    channel_states_[passages_of(worm)[worm.head].channel].first_from = never;
    const std::uint64_t routed =
        worm.head == worm.last ? 0 : pipeline.route_computation + pipeline.vc_allocation - 1;
    const std::uint64_t request = std::max(worm.arrival, from) + routed;
    worm.is_requesting = true;
    calendar_.schedule(std::max(request, now()), head_requests | id);
    if (worm.is_stuck) {
        worm.is_stuck = false;
        delay_tail(worm, worm.head + 1, from, ~0u);
    }
    finalize(id);
}

// Gates.

void WormNetwork::ask_gate(WormId id)
{
    if (client_of(id).takes(worms_[id].message)) {
        pass_gate(id);
        return;
    }
    append(gates_[worms_[id].message.destination].waiting, id);
    block(id);
}

/// The flits that are in the buffer now leave it at once, the others as they come.
void WormNetwork::pass_gate(WormId id)
{
    Worm& worm = worms_[id];
    if (worm.is_blocked)
        unblock(worm, now());
    worm.gate = Gate::open;
    if (now() > worm.arrival) {
        worm.has_interfered = true;
        delay_tail(worm, worm.last + 1, now(), 0);
    }
    share_changed_links(now());
    if (worm.tail > worm.last)
        schedule_arrival(id);
    finalize(id);
}

// Tails.

TailLag WormNetwork::lag(const Worm& worm, std::uint32_t link) const
{
    if (worm.lags != none)
        return lags_.get(worm.lags + link);
    return {worm.message.flits - 1, worm.message.flits};
}

/// What so many flits of it take, at the mean rate of the message.
std::uint64_t WormNetwork::cycles_for(const Worm& worm, std::uint64_t flits) const
{
    if (worm.lags == none || worm.message.flits == 1)
        return flits;
    return flits * lags_.get(worm.lags + worm.last).tail / (worm.message.flits - 1);
}

/// A flit that departs so many flits after one that departs at that time.
std::uint64_t WormNetwork::after_credits(const Worm& worm, std::uint64_t at, std::int64_t flits) const
{
    if (flits >= 0)
        return at + cycles_for(worm, static_cast<std::uint64_t>(flits));
    const std::uint64_t earlier = cycles_for(worm, static_cast<std::uint64_t>(-flits));
    return at - std::min(at, earlier);
}

void WormNetwork::delay_tail(Worm& worm, std::uint32_t link, std::uint64_t departs, std::uint32_t others)
{
    Passage* const passage = passages_of(worm);
    const std::uint64_t flits = worm.message.flits;
    for (std::uint32_t i = link; i-- > worm.release;) {
        const std::uint64_t places = passage[link].places - passage[i].places;
        if (places > flits + others)
            return;
        departs += timing(passage[i]).credit_cycles;
        const auto left = static_cast<std::int64_t>(flits) - static_cast<std::int64_t>(places);
        if (i >= worm.tail && places < flits + others)
            passage[i].tail = std::max(passage[i].tail, after_credits(worm, departs, left - 1));
        passage[i].release =
            std::max({passage[i].release, passage[i].tail + timing(passage[i]).cycles_per_flit,
                      after_credits(worm, departs, left)});
    }
}

/// What no head movement to come can change any more is passed on to those who wait for it. Where messages
/// share links their tails can still be postponed, and a fault can bring a tail forward: there it waits for
/// the tail to pass.
void WormNetwork::finalize(WormId id)
{
    Worm& worm = worms_[id];
    if (worm.is_stuck)
        return;
    const Passage* const passage = passages_of(worm);
    const std::uint64_t flits = worm.message.flits;
    const bool passed = has_passed(worm);
    const std::uint64_t reach = passed ? never : passage[worm.head + 1].places;
    while (worm.tail <= worm.head && (passed || reach - passage[worm.tail].places >= flits)) {
        if ((plan_.vcs() > 1 || worm.is_endangered) && passage[worm.tail].tail > now()) {
            watch_tail(id);
            break;
        }
        finalize_tail(id, worm.tail++);
        if (plan_.vcs() > 1)
            pass_share_on(channel_states_[passage[worm.tail - 1].channel].link);
    }
    while (worm.release < worm.tail && (passed || reach - passage[worm.release].places > flits))
        finalize_release(id, worm.release++);
}

void WormNetwork::finalize_tail(WormId id, std::uint32_t link)
{
    Worm& worm = worms_[id];
    Passage* const passage = passages_of(worm);
    const std::uint64_t tail = passage[link].tail;
    if (!observers_.empty()) [[unlikely]]
        report_hold(worm, link);
    if (link == worm.last && has_passed(worm))
        schedule_arrival(id);
    if (link == 0) {
        idle_from_[channel_states_[passage[0].channel].link] = tail + 1;
        calendar_.schedule(std::max(tail, now()), tail_leaves | id);
        return;
    }
    pass_buffer_on(passage[link - 1].channel, worm.message.flits, tail + 1);
}

/// From a cycle on another message is the first in the buffer.
void WormNetwork::pass_buffer_on(std::uint32_t channel, std::uint32_t flits, std::uint64_t from)
{
    ChannelState& state = channel_states_[channel];
    state.occupied -= flits;
    set_crossing(channel, none);
    if (state.behind.first == none)
        state.first_from = from;
    else
        become_first(take_first(state.behind), from);
}

/// From the wire of the head's first cycle to that of the tail's last one.
void WormNetwork::report_hold(const Worm& worm, std::uint32_t link) const
{
    const Passage& passage = passages_[worm.passages + link];
    const std::uint32_t held = passage.channel / plan_.vcs();
    const std::uint64_t wire = plan_.departure_cycles(held);
    const ChannelHold hold{held, passage.channel % plan_.vcs(), passage.head + wire,
                           passage.tail + wire + timing(passage).cycles_per_flit};
    for (HoldObserver* const observer : observers_)
        observer->channel_held(worm.message, hold, worm.client);
}

/// Of the tail at the end of the last link.
void WormNetwork::schedule_arrival(WormId id)
{
    const Passage& passage = passages_of(worms_[id])[worms_[id].last];
    calendar_.schedule(std::max(passage.tail + timing(passage).flit_cycles, now()), tail_arrives | id);
}

void WormNetwork::finalize_release(WormId id, std::uint32_t link)
{
    Worm& worm = worms_[id];
    const Passage& passage = passages_of(worm)[link];
    ChannelState& state = channel_states_[passage.channel];
    state.owner = none;
    link_uses_[state.link].owned &= ~bit_of(passage.channel);
    if (link == 0) {
        state.free_from = passage.release;
        if (sources_[worm.message.source].queued > 0)
            calendar_.schedule(std::max(passage.release, now()), source_sends | worm.message.source);
        return;
    }
    // In the cycle after the tail at the earliest; its head then still needs the switch.
    const std::uint64_t departure = plan_.pipeline().switch_allocation;
    state.free_from = std::max(passage.tail + 1, passage.release - std::min(passage.release, departure));
    if (group_states_[passage.group].waiting.first != none)
        wake_group(passage.group, state.free_from);
}

} // namespace nocturne
