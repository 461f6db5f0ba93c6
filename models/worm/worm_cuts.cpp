// What becomes of messages that a fault cuts.
#include "models/worm/worm_network.hpp"

#include <algorithm>

namespace nocturne {

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
    const bool was_first =
        worm.is_requesting || remove(group_states_[passage[worm.head + 1].group].waiting, id);
    if (!was_first)
        remove(channel_states_[passage[worm.head].channel].behind, id);
    leave_buffer(passage[worm.head].channel, worm.message.flits, was_first);
    worm.is_stuck = worm.is_blocked = false;
    end_at(worm, worm.head);
    lose(worm, 0);
    if (worm.tail > worm.head) // all of it is in the buffer, or on its way there
        schedule_arrival(id);
    finalize(id);
}

WormId WormNetwork::cut(WormId id, const Cut& where)
{
    lose(worms_[id], where.flit);
    const bool is_in_router = where.swallower != where.link, has_rest = worms_[id].tail <= where.swallower;
    if (is_in_router && has_rest)
        leave_buffer(passages_of(worms_[id])[where.swallower].channel, worms_[id].message.flits, true);
    if (where.link == worms_[id].last) {
        if (is_in_router && has_rest) {
            free_channel_of(id, where.link);
            worms_[id].whole = 0; // what has passed comes to an end by itself
            end_at(worms_[id], where.swallower);
        }
        finalize(id);
        return id;
    }
    const WormId rest = has_rest ? split_off_rest(id, where) : id;
    shorten(id, where);
    finalize(id);
    if (rest != id)
        finalize(rest);
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
            set_crossing(passages_of(piece)[link - 1].channel, passages + link);
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
        link_uses_[state.link].owned &= ~bit_of(passages_of(worms_[id])[link].channel);
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
void WormNetwork::leave_buffer(std::uint32_t channel, std::uint32_t flits, bool was_first)
{
    ChannelState& state = channel_states_[channel];
    state.occupied -= flits;
    if (was_first) {
        state.first_from = now();
        set_crossing(channel, none);
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
