#include "models/fabric/link_calendar.hpp"

#include "models/hardware/zero_load.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace nocturne {

namespace {

/// The lowest `count` bits, 0 to 64.
std::uint64_t low_bits(std::uint64_t count)
{
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

} // namespace

LinkCalendar::LinkCalendar(const FabricPlan& plan, const HardwareConfig& config)
    : plan_(plan), config_(config), buffer_flits_(config.buffer_flits),
      vcs_(std::max(1u, config.vcs / plan.vc_classes)),
      first_injection_(static_cast<std::uint32_t>(plan.network.channel_count())),
      first_ejection_(first_injection_ + static_cast<std::uint32_t>(plan.network.processor_count())),
      links_(plan.network.channel_count() + 2 * plan.network.processor_count())
{
    const Pipeline& pipeline = config.pipeline_of(plan.network);
    if (buffer_flits_ == 0)
        buffer_flits_ = config.full_rate_buffer_flits(pipeline, config.link_cycles);
    turnaround_ = vcs_ > 1 ? 0 : pipeline.head_cycles();
    for (std::size_t id = 0; id < links_.size(); ++id) {
        Link& link = links_[id];
        std::uint32_t latency = 1;
        if (id < plan.network.channel_count()) {
            const Channel& channel = plan.network.channel(static_cast<ChannelId>(id));
            latency = channel.latency_cycles;
            link.occupied_cycles = config.cycles_per_flit(channel);
        }
        link.next_cycles = latency * config.link_cycles + link.occupied_cycles - 1 + pipeline.cycles();
    }
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    paths_.resize(plan.requests.size());
    for (FlowId flow = 0; flow < plan.requests.size(); ++flow)
        for (const Leg leg : {Leg::request, Leg::response}) {
            const std::vector<std::uint32_t> path = path_of(plan.route(leg, flow));
            const auto [entry, is_new] = known.emplace(path, static_cast<std::uint32_t>(routes_.size()));
            if (is_new)
                routes_.insert(routes_.end(), path.begin(), path.end());
            paths_[flow][static_cast<unsigned>(leg)] = entry->second;
            waited_.resize(std::max(waited_.size(), path.size()));
        }
}

/// As it is in routes_. The links of the interfaces follow from the flow.
std::vector<std::uint32_t> LinkCalendar::path_of(const Route& hops) const
{
    const bool is_narrow =
        std::ranges::any_of(hops, [&](const Hop& hop) { return links_[hop.channel].occupied_cycles > 1; });
    const auto head = static_cast<std::uint32_t>(zero_load_cycles(plan_.network, config_, hops, 1));
    std::vector<std::uint32_t> path{head * 2 + (is_narrow ? 1 : 0), static_cast<std::uint32_t>(hops.size())};
    for (const Hop& hop : hops)
        path.push_back(hop.channel);
    return path;
}

LinkCalendar::LegRoute LinkCalendar::route_of(Leg leg, FlowId flow) const
{
    const std::uint32_t* const path = routes_.data() + paths_[flow][static_cast<unsigned>(leg)];
    return {path[0] / 2, path[0] % 2 != 0,
            path[1] + 2, first_injection_ + plan_.source(leg, flow),
            path + 2,    first_ejection_ + plan_.destination(leg, flow)};
}

std::uint64_t LinkCalendar::zero_load(const LegRoute& route, Leg leg, FlowId flow, std::uint32_t flits) const
{
    return route.is_narrow ? zero_load_cycles(plan_.network, config_, plan_.route(leg, flow), flits)
                           : std::uint64_t{route.head} + flits - 1;
}

std::uint64_t LinkCalendar::reserve(Leg leg, FlowId flow, std::uint32_t flits, std::uint64_t cycle)
{
    if ((cycle - now_) >> shift_ > bits / 2)
        coarsen(cycle - now_);
    if (shift_ > 0)
        return reserve_links<Detail::links_only>(leg, flow, flits, cycle);
    return turnaround_ > 0 ? reserve_links<Detail::with_turnaround>(leg, flow, flits, cycle)
                           : reserve_links<Detail::with_held_channels>(leg, flow, flits, cycle);
}

template <LinkCalendar::Detail detail>
std::uint64_t LinkCalendar::reserve_links(Leg leg, FlowId flow, std::uint32_t flits, std::uint64_t cycle)
{
    constexpr bool holds = detail != Detail::links_only; // then a bit is for a cycle
    const auto side = static_cast<unsigned>(leg);
    const LegRoute route = route_of(leg, flow);
    const unsigned shift = holds ? 0 : shift_;
    const auto first_word = static_cast<std::uint32_t>((now_ >> shift) / 64);
    std::uint64_t at = cycle; // the head, on each link
    std::uint64_t waits = 0;
    std::uint64_t late = 0;
    std::uint64_t refund = 0;
    std::uint64_t paid = 0;
    std::uint32_t input = none;
    for (std::uint32_t i = 0; i < route.links; ++i) {
        const std::uint32_t id = route.link(i);
        Link& link = links_[id];
        if (link.seen < first_word) [[unlikely]]
            recycle(id, first_word);
        std::uint64_t count = std::uint64_t{flits} * link.occupied_cycles;
        if constexpr (!holds) {
            const std::uint64_t owed = link.owed + count;
            count = owed >> shift;
            link.owed = static_cast<std::uint32_t>(owed - (count << shift));
        }
        const std::uint64_t from = at >> shift;
        const auto place = static_cast<unsigned>(from % 64);
        auto& taken = link.taken[from / 64 % words];
        const std::uint64_t used = low_bits(count) << place;
        std::uint64_t wait = 0;
        std::uint64_t end = from + count;
        std::uint64_t cut = 0;
        // Most find free what they come for, and all in one word.
        if (place + count <= 64 && ((used | std::uint64_t{1} << place) & taken[side]) == 0 &&
            from / 64 < first_word + words) [[likely]] {
            taken[side] |= used;
            taken[1 - side] |= used;
        } else {
            const Span span = take(link, side, from, count);
            if (span.first > from)
                wait = wait_for(span.first, at);
            end = span.last + 1;
            const std::uint64_t spread = span.last + 1 - span.first - count;
            if (!holds && span.moved > 0)
                late = std::max(late, waits + wait + ((spread * span.moved / count) << shift));
            cut = span.moved;
        }
        if constexpr (detail == Detail::with_turnaround)
            if (std::exchange(link.inputs[side], input) == input && i > 0) {
                hold(link, side, end, turnaround_);
                end += turnaround_;
            }
        if constexpr (holds) {
            waited_[i] = {end, wait};
            const Correction correction = settle(link, {at, at + wait, cut, count, at - now_});
            refund += correction.refund;
            paid = std::max(paid, correction.paid);
        }
        input = id;
        waits += wait;
        at += wait + link.next_cycles;
    }
    if (holds && waits > 0 && ++waiting_ % vcs_ == 0)
        hold_behind(route, side, flits);
    return zero_load(route, leg, flow, flits) + std::max(waits, late) - std::min(waits, refund) + paid;
}

/// What a queue would have given to messages that came to a link in another order than they were asked for.
LinkCalendar::Correction LinkCalendar::settle(Link& link, const Turn& turn)
{
    std::uint64_t overtaken = 0;
    Correction correction;
    if (turn.arrival >= link.last.arrival) {
        link.last = {turn.arrival, turn.start, turn.flits};
    } else if (turn.start > link.last.start) {
        correction.refund = link.last.flits;
        overtaken = turn.flits;
    } else {
        overtaken = turn.cut;
    }
    if (overtaken > 0) {
        link.debt += overtaken;
        link.debt_ahead = turn.ahead;
    } else if (link.debt > 0 && turn.ahead > link.debt_ahead) {
        correction.paid = std::exchange(link.debt, 0);
    }
    return correction;
}

/// Cycles from `at` to the beginning of a later bit. What takes the bits before may come anywhere in them.
std::uint64_t LinkCalendar::wait_for(std::uint64_t bit, std::uint64_t at) const
{
    const std::uint64_t wait = (bit << shift_) - at;
    return wait - std::min(wait, ((std::uint64_t{1} << shift_) - 1) / 2);
}

/// Of the virtual channels that it holds while it waits, from the last link to the first.
void LinkCalendar::hold_behind(const LegRoute& route, unsigned leg, std::uint32_t flits)
{
    const std::uint32_t held = 1 + (flits - 1) / buffer_flits_; // links behind the one that it waits for
    for (std::uint32_t i = 0; i + 1 < route.links; ++i) {
        std::uint64_t wait = 0;
        for (std::uint32_t j = i + 1; j < route.links && j <= i + held; ++j)
            wait += waited_[j].wait;
        if (wait >> shift_ != 0)
            hold(links_[route.link(i)], leg, waited_[i].end, wait >> shift_);
    }
}

/// Words that have passed become those behind the end.
void LinkCalendar::recycle(std::uint32_t link, std::uint32_t word)
{
    Link& state = links_[link];
    const std::uint64_t first = std::max(state.seen, word < words ? 0 : word - words);
    for (std::uint64_t i = first; i < word; ++i) {
        const std::uint64_t begin = (i + words) * 64;
        const std::uint64_t used = state.behind > begin ? low_bits(state.behind - begin) : 0;
        state.taken[i % words] = {used, used};
    }
    state.seen = word;
}

/// `count` free bits, the first ones from `from` on; 0: none, but where the first one is.
LinkCalendar::Span LinkCalendar::take(Link& link, unsigned leg, std::uint64_t from, std::uint64_t count)
{
    // One piece within 64 bits from `from` on, of two words, is what most get that do not get the first bits.
    const std::uint64_t end = (std::uint64_t{link.seen} + words) * 64;
    const std::uint64_t least = std::max<std::uint64_t>(count, 1);
    if (from + 64 < end && least < 64) {
        const auto place = static_cast<unsigned>(from % 64);
        auto& low = link.taken[from / 64 % words];
        auto& high = link.taken[(from / 64 + 1) % words];
        const std::uint64_t taken = low[leg] >> place | high[leg] << 1 << (63 - place);
        const auto begin = static_cast<unsigned>(std::countr_one(taken));
        if (begin + least <= 64 && (taken >> begin & low_bits(least)) == 0) {
            const std::uint64_t used = low_bits(count) << begin;
            for (unsigned side = 0; side < 2; ++side) {
                low[side] |= used << place;
                high[side] |= used >> 1 >> (63 - place);
            }
            return {from + begin, from + begin + least - 1, 0};
        }
    }
    return take_pieces(link, leg, from, count);
}

LinkCalendar::Span LinkCalendar::take_pieces(Link& link, unsigned leg, std::uint64_t from,
                                             std::uint64_t count)
{
    const std::uint64_t end = (std::uint64_t{link.seen} + words) * 64;
    constexpr std::uint64_t nowhere = ~std::uint64_t{0};
    Span span{nowhere, from, 0};
    std::uint64_t left = std::max<std::uint64_t>(count, 1);
    for (std::uint64_t at = from; left > 0 && at < end; at = (at / 64 + 1) * 64) {
        auto& taken = link.taken[at / 64 % words];
        std::uint64_t free = ~taken[leg] & ~low_bits(at % 64);
        if (free == 0)
            continue;
        std::uint64_t used = free;
        if (static_cast<std::uint64_t>(std::popcount(free)) > left) {
            used = 0;
            for (; left > 0; --left) {
                used |= free & -free;
                free &= free - 1;
            }
        } else {
            left -= static_cast<std::uint64_t>(std::popcount(free));
        }
        const std::uint64_t begin = at / 64 * 64;
        if (span.first == nowhere)
            span.first = begin + static_cast<unsigned>(std::countr_zero(used));
        // What continues the piece that began first is where it would be alone.
        for (std::uint64_t rest = used; rest != 0; rest &= rest - 1) {
            const std::uint64_t place = begin + static_cast<unsigned>(std::countr_zero(rest));
            if (place > span.last + 1 && place != span.first)
                span.moved = span.moved == 0 ? left + static_cast<unsigned>(std::popcount(rest)) : span.moved;
            span.last = place;
        }
        if (count > 0) {
            taken[leg] |= used;
            taken[1 - leg] |= used;
        }
    }
    if (left > 0) {
        const std::uint64_t begin = std::max({link.behind, end, from});
        if (span.first == nowhere)
            span.first = begin;
        else if (span.moved == 0)
            span.moved = left;
        span.last = begin + left - 1;
        if (count > 0)
            link.behind = begin + left;
    }
    return span;
}

void LinkCalendar::hold(Link& link, unsigned leg, std::uint64_t from, std::uint64_t count)
{
    const std::uint64_t end = std::min(from + count, (std::uint64_t{link.seen} + words) * 64);
    if (end < from + count)
        link.behind = std::max(link.behind, from + count);
    for (std::uint64_t at = from; at < end; at = (at / 64 + 1) * 64)
        link.taken[at / 64 % words][leg] |=
            low_bits(std::min<std::uint64_t>(64, at % 64 + end - at)) & ~low_bits(at % 64);
}

void LinkCalendar::coarsen(std::uint64_t ahead)
{
    for (; ahead >> shift_ > bits / 2; ++shift_) {
        const auto word = static_cast<std::uint32_t>((now_ >> shift_) / 64);
        for (std::uint32_t id = 0; id < links_.size(); ++id) {
            Link& link = links_[id];
            if (link.seen < word)
                recycle(id, word);
            link.taken = halved(link.taken, word);
            link.behind /= 2;
            link.seen = word / 2;
        }
    }
}

/// A bit for two, of a calendar whose first word is `word`. As many cycles are taken as before.
LinkCalendar::Words LinkCalendar::halved(const Words& use, std::uint32_t word)
{
    Words result{};
    for (unsigned leg = 0; leg < 2; ++leg) {
        unsigned taken = 0;
        const std::uint64_t first = std::uint64_t{word} * 64;
        for (std::uint64_t bit = first; bit < first + bits; bit += 2) {
            taken += static_cast<unsigned>(std::popcount(use[bit / 64 % words][leg] >> bit % 64 & 3));
            if (taken < 2)
                continue;
            taken -= 2;
            result[bit / 2 / 64 % words][leg] |= std::uint64_t{1} << bit / 2 % 64;
        }
    }
    return result;
}

} // namespace nocturne
