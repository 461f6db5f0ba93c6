// How messages on the virtual channels of a link share it, and the inputs of the router before it.
#include "models/worm/max_min_shares.hpp"
#include "models/worm/worm_network.hpp"

#include <boost/container/static_vector.hpp>

#include <algorithm>
#include <bit>

namespace nocturne {

namespace {

/// Of an output's grants to an input that has another output's as well, and takes one of the two. If these
/// fell together by chance it would be 0.5; iSLIP's pointers, which come apart, avoid some. Fitted to the
/// flit level.
constexpr double lost_grants = 0.4;

/// A shift of a tail by fewer cycles than this does not change the shares on its link.
constexpr std::uint64_t least_shift = 2;

/// What the messages of a link may want of it together, where it carries 1, without being shared again.
constexpr double most_wanted = 1.02;

/// Links at most whose shares an event changes.
constexpr std::size_t most_changed_links = 16;

/// One for each virtual channel at most, of which most hold nothing.
template <typename T>
using OfVcs = boost::container::static_vector<T, most_flows>;

/// Of a set of virtual channels that is not empty.
std::uint32_t first_in(std::uint32_t set)
{
    return static_cast<std::uint32_t>(std::countr_zero(set));
}

/// The nearest whole number of cycles, which are not negative; std::llround() is a call.
std::uint64_t whole(double cycles)
{
    return static_cast<std::uint64_t>(cycles + 0.5);
}

std::uint64_t difference(std::uint64_t a, std::uint64_t b)
{
    return a > b ? a - b : b - a;
}

} // namespace

/// Flits that still have to depart on a link after a cycle. Those without room behind wait for the head.
double WormNetwork::flits_left(const Worm& worm, std::uint32_t link, std::uint64_t at) const
{
    const Passage& passage = passages_[worm.passages + link];
    double left = passage.left;
    if (at >= passage.tail)
        left = 0;
    else if (at > passage.since)
        left -= static_cast<double>(at - passage.since) *
                std::min(passage.rate, left / static_cast<double>(passage.tail - passage.since));
    return std::max(left, flits_without_room(worm, link));
}

double WormNetwork::flits_without_room(const Worm& worm, std::uint32_t link) const
{
    if (has_passed(worm))
        return 0;
    const Passage* const passage = &passages_[worm.passages];
    const std::uint64_t room = passage[worm.head + 1].places - passage[link].places;
    return worm.message.flits > room ? static_cast<double>(worm.message.flits - room) : 0;
}

void WormNetwork::note_progress(Worm& worm, std::uint32_t link, std::uint64_t at)
{
    Passage& passage = passages_[worm.passages + link];
    if (at <= passage.since)
        return;
    passage.left = flits_left(worm, link, at);
    passage.since = at;
}

/// The tail's departure on a link at the earliest, were nothing else on it.
std::uint64_t WormNetwork::least_tail(const Worm& worm, std::uint32_t link, std::uint64_t at) const
{
    const Passage& passage = passages_[worm.passages + link];
    double cycles = passage.left;
    if (worm.message.flits > 1)
        cycles = 1 + (cycles - 1) * static_cast<double>(lag(worm, link).tail) / (worm.message.flits - 1);
    std::uint64_t tail = at + whole(std::max(cycles, 0.0));
    if (link > 0)
        tail = std::max(tail, (&passage)[-1].tail + timing((&passage)[-1]).flit_cycles);
    if (link < worm.head)
        tail = std::max(tail, tail_before_next(worm, link));
    return tail;
}

/// The tail's departure on a link, by that on the next: the last flits that the buffer between them holds
/// leave it one after the other, and only then it has room.
std::uint64_t WormNetwork::tail_before_next(const Worm& worm, std::uint32_t link) const
{
    const Passage& passage = passages_[worm.passages + link];
    const Passage& next = (&passage)[1];
    const LinkTiming& of = timing(passage);
    const std::uint64_t all = next.tail - next.head + 1;
    return next.tail + of.credit_cycles - std::min(all, all * of.buffer_flits / worm.message.flits);
}

/// Its tail leaves a link at another time, and with it those before and behind that follow from it.
void WormNetwork::move_tail(WormId id, std::uint32_t link, std::uint64_t tail)
{
    Worm& worm = worms_[id];
    Passage* const passage = passages_of(worm);
    const auto set = [&](std::uint32_t each, std::uint64_t to) {
        const std::uint64_t from = passage[each].tail;
        passage[each].release += to - from;
        passage[each].tail = to;
        if (each != link && difference(from, to) >= least_shift)
            change_shares(passage[each].channel);
    };
    std::uint64_t before = passage[link].tail;
    set(link, tail);
    std::uint64_t reached = now(); // from when on the flits feel it
    for (std::uint32_t i = link + 1; i <= worm.head; ++i) {
        const std::uint64_t cycles = timing(passage[i - 1]).flit_cycles;
        const std::uint64_t least = passage[i - 1].tail + cycles;
        const bool has_followed = passage[i].tail == before + cycles;
        before = passage[i].tail;
        if (before == least || (before > least && !has_followed))
            break;
        reached += cycles;
        note_progress(worm, i, reached);
        set(i, std::max(least, reached + whole(passage[i].left)));
    }
    for (std::uint32_t i = link; i-- > worm.tail;) {
        const std::uint64_t least = tail_before_next(worm, i);
        if (passage[i].tail >= least)
            break;
        note_progress(worm, i, now());
        set(i, least);
    }
    watch_tail(id);
}

/// An event for the tail that is final next, unless one is due by then.
void WormNetwork::watch_tail(WormId id)
{
    Worm& worm = worms_[id];
    const std::uint64_t tail = std::max(passages_of(worm)[worm.tail].tail, now());
    if (tail >= worm.watched_at)
        return;
    worm.watched_at = tail;
    calendar_.schedule(tail, tail_passes | id);
}

/// What a message has for one of its links; no flits if its tail has passed, or while it is blocked.
Flow WormNetwork::flow_of(const Worm& worm, std::uint32_t link, std::uint64_t at, std::uint64_t least) const
{
    if (link < worm.tail)
        return {};
    const double left = flits_left(worm, link, at);
    const double flits = worm.is_blocked ? left - flits_without_room(worm, link) : left;
    if (flits < 0.5)
        return {};
    return {flits, least > at ? static_cast<double>(least - at) * flits / left : 0};
}

/// How a message is held up on its way to a link by the others that leave buffers of the same input, which
/// sends one flit a cycle.
WormNetwork::InputShare WormNetwork::share_input(Worm& worm, std::uint32_t link, std::uint64_t at,
                                                 const Flow& flow)
{
    const std::uint32_t vcs = plan_.vcs();
    const std::uint32_t own = worm.passages + link, before = passages_[own - 1].channel;
    const std::uint32_t input = channel_states_[before].link;
    const std::uint32_t output = channel_states_[passages_[own].channel].link;
    if (channel_states_[before].crossing != own)
        return {flow.least, 0}; // a fault has cut it off behind this input
    if (link_uses_[input].crossing == bit_of(before))
        return {flow.least, 0}; // alone
    OfVcs<Flow> flows;
    OfVcs<std::uint32_t> channels;
    std::size_t self = 0;
    InputShare result{flow.least, 0};
    for (std::uint32_t left = link_uses_[input].crossing; left != 0; left &= left - 1) {
        const std::uint32_t crossing = channel_states_[input * vcs + first_in(left)].crossing;
        if (crossing == own) {
            self = flows.size();
            flows.push_back(flow);
            channels.push_back(passages_[own].channel);
            continue;
        }
        const Passage& passage = passages_[crossing];
        const ChannelState& state = channel_states_[passage.channel];
        if (state.owner == none || state.passage != crossing)
            continue; // a router that has failed has taken it away
        Worm& other = worms_[state.owner];
        const Flow of_other = flow_of(other, crossing - other.passages, at, passage.tail);
        if (of_other.flits == 0)
            continue;
        flows.push_back(of_other);
        channels.push_back(passage.channel);
        worm.has_interfered = other.has_interfered = true;
        if (state.link != output)
            result.rate_elsewhere += passage.rate;
    }
    if (flows.size() == 1)
        return result;
    share_max_min({flows.data(), flows.size()}, 1);
    for (std::size_t i = 0; i < flows.size(); ++i)
        if (i != self && flows[i].cycles > flows[i].least + static_cast<double>(least_shift))
            change_shares(channels[i]);
    result.least = std::max(result.least, flows[self].cycles);
    return result;
}

/// Nothing goes over a link, or one message that has not met another yet, at its input neither.
bool WormNetwork::is_as_expected(std::uint32_t link) const
{
    const std::uint32_t vcs = plan_.vcs();
    std::uint32_t own = none;
    for (std::uint32_t left = link_uses_[link].owned; left != 0; left &= left - 1) {
        const ChannelState& state = channel_states_[link * vcs + first_in(left)];
        const Worm& worm = worms_[state.owner];
        if (state.passage - worm.passages < worm.tail)
            continue;
        if (own != none || worm.has_interfered)
            return false;
        own = state.passage;
        if (own == worm.passages)
            continue; // injected here
        const std::uint32_t before = passages_[own - 1].channel, input = channel_states_[before].link;
        const std::uint32_t of_own = channel_states_[before].crossing == own ? bit_of(before) : 0;
        if ((link_uses_[input].crossing & ~of_own) != 0)
            return false;
    }
    return true;
}

/// The messages on a link's virtual channels share it from a cycle on.
void WormNetwork::share_link(std::uint32_t link, std::uint64_t at)
{
    if (is_as_expected(link))
        return;
    const std::uint32_t vcs = plan_.vcs();
    OfVcs<Flow> flows;
    OfVcs<std::uint32_t> channels;
    double lost = 0;
    for (std::uint32_t left = link_uses_[link].owned; left != 0; left &= left - 1) {
        const std::uint32_t channel = link * vcs + first_in(left);
        const WormId id = channel_states_[channel].owner;
        Worm& worm = worms_[id];
        const std::uint32_t index = channel_states_[channel].passage - worm.passages;
        if (index < worm.tail)
            continue;
        note_progress(worm, index, at);
        Flow flow = flow_of(worm, index, at, least_tail(worm, index, at));
        if (flow.flits == 0)
            continue;
        if (index > 0) {
            const InputShare input = share_input(worm, index, at, flow);
            flow.least = input.least;
            lost += lost_grants * std::min(input.rate_elsewhere, 1.0);
        }
        flows.push_back(flow);
        channels.push_back(channel);
    }
    if (flows.empty())
        return;
    if (flows.size() == 1) {
        if (!worms_[channel_states_[channels[0]].owner].has_interfered)
            return; // its tail is where it should be
        flows[0].cycles = flows[0].least;
        flows[0].first_rate = flows[0].flits / std::max(flows[0].least, flows[0].flits);
    } else {
        // Outputs that take a flit in several cycles come apart for good: what one of them misses, it gets in
        // the next cycle, and then no longer asks when the other does.
        const std::uint32_t cycles_per_flit = plan_.timing(link).cycles_per_flit;
        const double used = cycles_per_flit == 1 ? 1 - lost / static_cast<double>(flows.size()) : 1;
        share_max_min({flows.data(), flows.size()}, used / cycles_per_flit);
    }
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const ChannelState& state = channel_states_[channels[i]];
        Worm& worm = worms_[state.owner];
        worm.has_interfered = true;
        const std::uint32_t index = state.passage - worm.passages;
        passages_[state.passage].rate = flows[i].first_rate;
        if (worm.is_blocked && flits_without_room(worm, index) > 0)
            continue; // its tail follows from when the head goes on
        const std::uint64_t tail = at + whole(flows[i].cycles);
        if (tail != passages_[state.passage].tail)
            move_tail(state.owner, index, tail);
    }
}

/// A message has passed a link. If it has when it was to, the others there arrive as found when the link was
/// shared last, and are quicker from now on; that is what they need to be in time. Where this is more than
/// the link carries, it is shared again.
void WormNetwork::pass_share_on(std::uint32_t link)
{
    double wanted = 0;
    for (std::uint32_t left = link_uses_[link].owned; left != 0; left &= left - 1) {
        const ChannelState& state = channel_states_[link * plan_.vcs() + first_in(left)];
        Worm& worm = worms_[state.owner];
        const std::uint32_t index = state.passage - worm.passages;
        if (index < worm.tail)
            continue;
        note_progress(worm, index, now());
        Passage& passage = passages_[state.passage];
        if (passage.tail > passage.since)
            passage.rate = passage.left / static_cast<double>(passage.tail - passage.since);
        else if (passage.left >= 1)
            passage.rate = 1;
        wanted += passage.rate;
        passage.rate = std::min(1.0, passage.rate);
    }
    if (wanted * plan_.timing(link).cycles_per_flit > most_wanted) {
        share_link(link, now());
        share_changed_links(now());
    }
}

void WormNetwork::set_crossing(std::uint32_t channel, std::uint32_t passage)
{
    channel_states_[channel].crossing = passage;
    std::uint32_t& crossing = link_uses_[channel_states_[channel].link].crossing;
    crossing = passage == none ? crossing & ~bit_of(channel) : crossing | bit_of(channel);
}

/// The shares on a virtual channel's link are to be found again, in the present event.
void WormNetwork::change_shares(std::uint32_t channel)
{
    const std::uint32_t link = channel_states_[channel].link;
    if (changed_links_.size() < most_changed_links &&
        std::find(changed_links_.begin(), changed_links_.end(), link) == changed_links_.end())
        changed_links_.push_back(link);
}

void WormNetwork::share_changed_links(std::uint64_t at)
{
    for (std::size_t i = 0; i < changed_links_.size(); ++i) // grows meanwhile
        share_link(changed_links_[i], at);
    changed_links_.clear();
}

/// The head waits, so that others on the links behind it get more when the buffers are full.
void WormNetwork::block(WormId id)
{
    Worm& worm = worms_[id];
    if (plan_.vcs() == 1 || worm.is_blocked)
        return;
    worm.is_blocked = true;
    change_shares_behind(worm);
    share_changed_links(now());
}

/// The head goes on from a cycle on.
void WormNetwork::unblock(Worm& worm, std::uint64_t at)
{
    for (std::uint32_t i = worm.tail; i <= worm.head; ++i)
        note_progress(worm, i, at);
    worm.is_blocked = false;
    change_shares_behind(worm);
}

/// Where all its flits have room behind a link it does not matter there whether the head waits.
void WormNetwork::change_shares_behind(const Worm& worm)
{
    for (std::uint32_t i = worm.head + 1; i-- > worm.tail;)
        if (flits_without_room(worm, i) > 0)
            change_shares(passages_[worm.passages + i].channel);
}

} // namespace nocturne
