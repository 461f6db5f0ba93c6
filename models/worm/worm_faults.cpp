// What faults do to messages. Apart from the rest of WormNetwork, which asks whether a message is endangered.
#include "models/worm/worm_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace nocturne {

// The plan.

void WormNetwork::plan_faults(const Topology& topology, const Faults& faults, DownTime down)
{
    if (down.until <= down.from)
        throw std::invalid_argument(
            fmt::format("{}: a fault from cycle {} to cycle {}", topology.name(), down.from, down.until));
    for (const ChannelId id : faults.channels)
        if (id >= topology.channel_count())
            throw std::invalid_argument(fmt::format("{}: channel {} does not exist", topology.name(), id));
    for (const RouterId id : faults.routers)
        if (id >= topology.router_count())
            throw std::invalid_argument(fmt::format("{}: router {} does not exist", topology.name(), id));
    downs_.resize(channels_.links());
    PlannedFault fault{faults.channels, {}, down};
    for (const ChannelId id : faults.channels)
        downs_[id].push_back(down);
    for (const RouterId router : faults.routers) {
        const std::vector<std::uint32_t> into = channels_.links_into(topology, router);
        const std::vector<std::uint32_t> out_of = channels_.links_out_of(topology, router);
        unsigned slowest_link = 1;
        for (const std::uint32_t link : out_of)
            slowest_link = std::max(slowest_link, channels_.timing(link).cycles_per_flit);
        // As Network::plan_faults(): what comes in the very cycle of the failure is lost, and so is what is
        // in the switch.
        const std::uint64_t back =
            std::max(down.until, down.from + channels_.pipeline().cycles() + slowest_link);
        for (const std::uint32_t link : into)
            downs_[link].push_back({down.from == 0 ? 0 : down.from - 1, back});
        for (const std::uint32_t link : out_of)
            downs_[link].push_back({down.from, back});
        fault.into_routers.insert(fault.into_routers.end(), into.begin(), into.end());
    }
    calendar_.schedule(std::max(down.from, now()), fault_begins | static_cast<std::uint32_t>(faults_.size()));
    faults_.push_back(std::move(fault));
}

/// Is a link of its route down, or will be?
bool WormNetwork::is_endangered(const Sending& sending, std::span<const Hop> route) const
{
    const auto is_down_later = [&](std::uint32_t link) {
        return std::any_of(downs_[link].begin(), downs_[link].end(),
                           [&](const DownTime& down) { return down.until > now(); });
    };
    return is_down_later(channels_.first_injection_link(sending.source)) ||
           is_down_later(channels_.ejection_link(sending.destination)) ||
           std::any_of(route.begin(), route.end(),
                       [&](const Hop& hop) { return is_down_later(hop.channel); });
}

// What is lost.

/// A flit that departs at that time: it is on the wire from the cycle in which it enters it to the one before
/// it comes.
bool WormNetwork::is_lost(std::uint32_t link, std::uint64_t departs, const DownTime& down) const
{
    const std::uint64_t arrives = departs + channels_.timing(link).flit_cycles;
    return arrives > down.from && arrives - channels_.wire_cycles(link) < down.until;
}

bool WormNetwork::loses_head(std::uint32_t link, std::uint64_t at) const
{
    return std::any_of(downs_[link].begin(), downs_[link].end(),
                       [&](const DownTime& down) { return is_lost(link, at, down); });
}

/// Of the first links of its route.
std::vector<std::uint32_t> WormNetwork::timings_of(const Worm& worm, std::uint32_t links) const
{
    std::vector<std::uint32_t> path;
    for (std::uint32_t i = 0; i < links; ++i) {
        const Passage& passage = passages_[worm.passages + i];
        path.push_back(
            channel_states_[i == 0 ? passage.channel : group_states_[passage.group].range.first].timing);
    }
    return path;
}

/// Of a flit on a link that the head has departed on: exact if the message has met no other.
std::uint64_t WormNetwork::departure(const Worm& worm, std::uint32_t link, std::uint64_t flit) const
{
    const Passage& passage = passages_[worm.passages + link];
    if (flit == 0)
        return passage.head;
    if (worm.lags != none && !worm.has_met)
        return passage.head + compute_tail_lags(channels_.timings(), channels_.pipeline().head_cycles(),
                                                timings_of(worm, worm.last + 1),
                                                static_cast<std::uint32_t>(flit + 1))[link]
                                  .tail;
    return passage.head + flit * (passage.tail - passage.head) / (worm.message.flits - 1);
}

/// Flits that have come over a link by then.
std::uint32_t WormNetwork::arrived_by(const Worm& worm, std::uint32_t link, std::uint64_t cycle) const
{
    const std::uint64_t flit_cycles = timing(passages_[worm.passages + link]).flit_cycles;
    std::uint32_t there = 0;
    std::uint32_t not_there = worm.message.flits;
    while (there < not_there) {
        const std::uint32_t middle = there + (not_there - there) / 2;
        if (departure(worm, link, middle) + flit_cycles <= cycle)
            there = middle + 1;
        else
            not_there = middle;
    }
    return there;
}

/// Flits that can have passed a link while the head is in the last buffer that it has entered.
std::uint64_t WormNetwork::room_behind(const Worm& worm, std::uint32_t link, std::uint32_t head) const
{
    const Passage* const passage = &passages_[worm.passages];
    return head == worm.last ? never : passage[head + 1].places - passage[link].places;
}

/// All but the first flits of it.
void WormNetwork::lose(Worm& worm, std::uint32_t flits_through)
{
    const std::uint32_t through = std::min(worm.whole, flits_through);
    flits_lost_ += worm.whole - through;
    worm.whole = through;
    if (worm.is_lost)
        return;
    worm.is_lost = true;
    client_.message_lost(worm.message);
}

// The cycle of a fault.

void WormNetwork::begin_fault(std::uint32_t number)
{
    enum class Part : std::uint8_t { other, down, into_router };
    std::vector<Part> parts(channels_.links());
    for (const std::uint32_t link : faults_[number].links)
        parts[link] = Part::down;
    for (const std::uint32_t link : faults_[number].into_routers)
        parts[link] = Part::into_router;
    const DownTime down = faults_[number].down;
    for (WormId each = 0; each < worms_.size(); ++each) {
        if (!worms_[each].is_endangered || worms_[each].passages == none || worms_[each].head == none)
            continue;
        WormId id = each; // behind a cut it is the rest, which comes over the links before
        // Behind a cut all of it can be in the buffer that the head is in.
        const std::uint32_t first = worms_[id].first, least = std::min(first, worms_[id].head);
        for (std::uint32_t link = worms_[id].head + 1; link-- > least;) {
            const Part part = parts[channel_states_[passages_of(worms_[id])[link].channel].link];
            if (part == Part::down && link >= first)
                id = cut_on_link(id, link, down);
            else if (part == Part::into_router)
                id = cut_in_router(id, link, down.from);
        }
    }
}

/// Of what has come over the link when it fails the rest is cut off, unless that is whole; returns the
/// message that has the links before.
WormId WormNetwork::cut_on_link(WormId id, std::uint32_t link, const DownTime& down)
{
    Worm& worm = worms_[id];
    if (link == worm.head && (worm.arrival > down.from || is_swallowed(worm)))
        return id; // what becomes of the head depart() knows; a link that swallows it goes on doing so
    const std::uint64_t room = room_behind(worm, link, worm.head);
    const std::uint32_t flit = arrived_by(worm, link, down.from);
    if (flit >= room && room < worm.message.flits) {
        worm.is_held = true; // the next flit has no place to go to before the head moves
        return id;
    }
    if (flit >= worm.message.flits)
        return id;
    return cut_if_lost(id, {link, flit, link, departure(worm, link, flit)}, down);
}

/// The head of a message that a fault found held up has departed.
void WormNetwork::cut_when_moving(WormId id)
{
    worms_[id].is_held = false;
    std::uint64_t moves = passages_of(worms_[id])[worms_[id].head].head;
    for (std::uint32_t link = worms_[id].head; link-- > worms_[id].first;) {
        const Worm& worm = worms_[id];
        const Passage& passage = passages_of(worm)[link];
        moves += timing(passage).credit_cycles;
        const auto room = room_behind(worm, link, worm.head - 1);
        for (const DownTime& down : downs_[channel_states_[passage.channel].link]) {
            if (now() < down.from || now() >= down.until)
                continue;
            const auto flit =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(arrived_by(worm, link, down.from), room));
            if (flit >= worm.message.flits)
                continue;
            const std::uint64_t departs = departure(worm, link, flit);
            id = cut_if_lost(id, {link, flit, link, flit == room ? std::max(departs, moves) : departs}, down);
            break;
        }
    }
}

WormId WormNetwork::cut_if_lost(WormId id, const Cut& where, const DownTime& down)
{
    const Worm& worm = worms_[id];
    const std::uint32_t link = channel_states_[passages_of(worm)[where.link].channel].link;
    return is_lost(link, where.departs, down) ? cut(id, where) : id;
}

/// `into` is a link to a router that has failed.
WormId WormNetwork::cut_in_router(WormId id, std::uint32_t into, std::uint64_t from)
{
    Worm& worm = worms_[id];
    if (is_swallowed(worm) && worm.last == into)
        return id;
    if (into == worm.head) {
        kill_head(id);
        return id;
    }
    const std::uint32_t out_of = into + 1;
    const Passage& passage = passages_of(worm)[out_of];
    if (is_swallowed(worm) && worm.last == out_of)
        return cut(id, {out_of, 0, into, from});
    const std::uint64_t room = room_behind(worm, out_of, worm.head);
    const auto flit =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(arrived_by(worm, out_of, from), room));
    if (flit >= worm.message.flits)
        return id;
    const std::uint64_t departs = std::min(departure(worm, out_of, flit), std::max(from, passage.head + 1));
    return cut(id, {out_of, flit, into, departs});
}

/// A head in the buffer of a router that has failed.
void WormNetwork::kill_head(WormId id)
{
    Worm& worm = worms_[id];
    const Passage* const passage = passages_of(worm);
    ChannelState& state = channel_states_[passage[worm.head].channel];
    const bool was_first =
        worm.is_requesting || remove(group_states_[passage[worm.head + 1].group].waiting, id);
    if (!was_first)
        remove(state.behind, id);
    leave_buffer(state, worm.message.flits, was_first);
    worm.is_stuck = worm.is_blocked = false;
    end_at(worm, worm.head);
    lose(worm, 0);
    if (worm.tail > worm.head) // all of it is in the buffer, or on its way there
        schedule_arrival(id);
    settle(id);
}

WormId WormNetwork::cut(WormId id, const Cut& where)
{
    lose(worms_[id], where.flit);
    const bool is_in_router = where.swallower != where.link, has_rest = worms_[id].tail <= where.swallower;
    if (is_in_router && has_rest)
        leave_buffer(channel_states_[passages_of(worms_[id])[where.swallower].channel],
                     worms_[id].message.flits, true);
    if (where.link == worms_[id].last) {
        if (is_in_router && has_rest) {
            free_channel_of(id, where.link);
            worms_[id].whole = 0; // what has passed comes to an end by itself
            end_at(worms_[id], where.swallower);
        }
        settle(id);
        return id;
    }
    const WormId rest = has_rest ? split_off_rest(id, where) : id;
    shorten(id, where);
    settle(id);
    if (rest != id)
        settle(rest);
    return rest;
}

/// What has not passed the cut becomes a message of its own, which the link swallows.
WormId WormNetwork::split_off_rest(WormId id, const Cut& where)
{
    const WormId rest = acquire_worm();
    const std::uint32_t links = where.swallower + 1;
    const std::uint32_t passages = acquire_passages(links);
    ++in_flight_;
    Worm& worm = worms_[id];
    Worm& piece = worms_[rest];
    piece = worm;
    piece.size = size_class(links);
    piece.passages = passages;
    piece.next = none;
    piece.is_stuck = piece.is_blocked = piece.is_requesting = piece.is_held = false;
    piece.whole = 0;
    std::copy_n(passages_of(worm), links, passages_of(piece));
    for (std::uint32_t link = worm.release; link < links; ++link) {
        ChannelState& state = channel_states_[passages_of(piece)[link].channel];
        state.owner = rest;
        state.passage = passages + link;
        if (link > worm.release)
            channel_states_[passages_of(piece)[link - 1].channel].crossing = passages + link;
    }
    if (where.swallower != where.link)
        free_channel_of(id, where.link);
    worm.first = worm.tail = worm.release = where.link + 1;
    end_at(piece, where.swallower);
    return rest;
}

/// Gives back what a router that has failed had of a link.
void WormNetwork::free_channel_of(WormId id, std::uint32_t link)
{
    ChannelState& state = channel_states_[passages_of(worms_[id])[link].channel];
    if (state.owner == id) {
        state.owner = none;
        state.free_from = now();
    }
}

/// A link swallows the message: its flits leave it as they come.
void WormNetwork::end_at(Worm& worm, std::uint32_t link)
{
    Passage* const passage = passages_of(worm);
    const std::uint32_t before = worm.lags;
    worm.last = worm.head = link;
    worm.watched_at = never; // its tail may come sooner
    if (before == none)
        return;
    path_ = timings_of(worm, link + 1);
    worm.lags = lags_.find(path_, worm.message.flits);
    for (std::uint32_t i = worm.tail; i <= link; ++i) {
        const std::uint64_t lag = lags_.get(before + i).tail;
        const std::uint64_t sooner = lag - std::min(lag, lags_.get(worm.lags + i).tail);
        const std::uint64_t tail =
            std::max(passage[i].tail - std::min(passage[i].tail, sooner), std::min(passage[i].tail, now()));
        passage[i].release -= passage[i].tail - tail;
        passage[i].tail = tail;
    }
}

/// What has passed the cut, and a tail in the place of the first flit that has not.
void WormNetwork::shorten(WormId id, const Cut& where)
{
    Worm& worm = worms_[id];
    Passage* const passage = passages_of(worm);
    const std::uint32_t flits = where.flit + 1;
    const std::uint32_t gone = worm.message.flits - flits;
    std::vector<std::uint64_t> tails(worm.head + 1);
    for (std::uint32_t i = where.link; i <= worm.head; ++i)
        tails[i] = i == where.link ? where.departs
                                   : std::max(departure(worm, i, where.flit),
                                              tails[i - 1] + timing(passage[i - 1]).flit_cycles);
    for (std::uint32_t i = where.link; i <= worm.head; ++i) {
        ChannelState& state = channel_states_[passage[i].channel];
        if (i + 1 >= worm.tail)
            state.occupied -= gone;
        if (i > where.link) {
            state.flits -= gone;
            flit_hops_ -= gone;
        }
        if (i < worm.tail && i > where.link)
            continue;
        passage[i].release -=
            std::min(passage[i].release, passage[i].tail - std::min(passage[i].tail, tails[i]));
        passage[i].tail = tails[i];
        passage[i].left = std::max(0.0, passage[i].left - gone);
    }
    worm.message.flits = flits;
    worm.watched_at = never;
    if (worm.lags != none) {
        path_ = timings_of(worm, worm.last + 1);
        worm.lags = lags_.find(path_, flits);
    }
}

/// The message of so many flits will not leave the buffer, but is gone.
void WormNetwork::leave_buffer(ChannelState& state, std::uint32_t flits, bool was_first)
{
    state.occupied -= flits;
    if (was_first) {
        state.first_from = now();
        state.crossing = none;
    }
}

bool WormNetwork::remove(List& list, WormId id)
{
    WormId before = none;
    for (WormId at = list.first; at != none; before = at, at = worms_[at].next) {
        if (at != id)
            continue;
        (before == none ? list.first : worms_[before].next) = worms_[id].next;
        if (list.last == id)
            list.last = before;
        return true;
    }
    return false;
}

} // namespace nocturne
