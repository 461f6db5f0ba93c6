#include "models/fabric/link_calendar.hpp"

#include "models/network/zero_load.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace nocturne {

LinkCalendar::LinkCalendar(const FabricPlan& plan, const HardwareConfig& config)
    : plan_(plan), config_(config), buffer_flits_(config.buffer_flits),
      vcs_(std::max(1u, config.vcs / plan.vc_classes)), vcs_of_leg_(std::max(1u, config.vcs / 2)),
      first_injection_(static_cast<std::uint32_t>(plan.network.channel_count())),
      first_ejection_(first_injection_ + static_cast<std::uint32_t>(plan.network.processor_count())),
      first_initiator_(plan.initiator_interface(0)), first_target_(plan.target_interface(0)),
      targets_(plan.targets), link_count_(plan.network.channel_count() + 2 * plan.network.processor_count()),
      links_(link_count_), queues_(link_count_), taken_(words * link_count_)
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
    const std::uint32_t initiator = first_initiator_ + flow / targets_;
    const std::uint32_t target = first_target_ + flow % targets_;
    const bool is_request = leg == Leg::request;
    return {path[0] / 2, path[0] % 2 != 0,
            path[1] + 2, first_injection_ + (is_request ? initiator : target),
            path + 2,    first_ejection_ + (is_request ? target : initiator)};
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
    const LegRoute route = route_of(leg, flow);
    const std::uint64_t late = shift_ > 0        ? reserve_coarsely(route, flits, cycle)
                               : turnaround_ > 0 ? reserve_exactly<true>(route, leg, flits, cycle)
                                                 : reserve_exactly<false>(route, leg, flits, cycle);
    return zero_load(route, leg, flow, flits) + late;
}

/// With a bit for a cycle. Cycles that it arrives after its zero load.
template <bool has_turnaround>
std::uint64_t LinkCalendar::reserve_exactly(const LegRoute& route, Leg leg, std::uint32_t flits,
                                            std::uint64_t cycle)
{
    const auto side = static_cast<unsigned>(leg);
    const auto first_word = static_cast<std::uint32_t>(now_ / 64);
    std::uint64_t at = cycle; // the head, on each link
    std::uint64_t waits = 0;
    std::uint64_t refund = 0;
    std::uint64_t paid = 0;
    std::uint64_t lost = 0;
    std::uint32_t input = none;
    for (std::uint32_t i = 0; i < route.links; ++i) {
        const std::uint32_t id = route.link(i);
        Link& link = links_[id];
        if (link.seen < first_word) [[unlikely]]
            recycle(id, first_word);
        const std::uint64_t count = std::uint64_t{flits} * link.occupied_cycles;
        const auto place = static_cast<unsigned>(at % 64);
        Taken& taken = this->taken(id, at / 64);
        const std::uint64_t used = low_bits(count) << place;
        std::uint64_t wait = 0;
        std::uint64_t end = at + count;
        std::uint64_t cut = 0;
        bool is_held = false;
        // Most find free what they come for, and all in one word.
        if (place + count <= 64 && (used & taken[side]) == 0 && at / 64 < first_word + words) [[likely]] {
            taken[side] |= used;
            taken[1 - side] |= used;
        } else {
            const LinkQueue& queue = queues_[id];
            const bool goes_along = i + 1 < route.links && queue.held_for[side] == route.link(i + 1);
            const bool is_behind = queue.inputs[side] == input && at >= queue.last.arrival;
            const std::uint64_t from = goes_along && is_behind ? std::max(at, queue.ends[side]) : at;
            const Span span = take(id, {side, goes_along}, from, count);
            wait = span.first - at;
            end = span.last + 1;
            cut = span.moved;
            is_held = goes_along;
        }
        if constexpr (has_turnaround) {
            LinkQueue& queue = queues_[id];
            if (queue.inputs[side] != input) {
                queue.other_ends[side] = queue.ends[side];
                queue.inputs[side] = input;
            } else if (i > 0 && queue.other_ends[side] <= at) {
                hold(id, side, end, turnaround_);
                end += turnaround_;
            }
            queue.ends[side] = end;
        }
        waited_[i] = {end, wait, is_held};
        // Those of an interface are in one queue before its injection link.
        const unsigned channels = i == 0 ? 0 : i + 1 < route.links ? vcs_ : vcs_of_leg_;
        const Turn turn{at, at + wait, cut, count, at - now_, side};
        const Correction shared = share(queues_[id], turn, channels);
        const Correction correction = correct_order(queues_[id], turn);
        refund += correction.refund + shared.refund;
        paid = std::max(paid, correction.paid);
        lost += shared.paid;
        input = id;
        waits += wait;
        at += wait + link.next_cycles;
    }
    if (waits > 0 && ++waiting_ % vcs_ == 0)
        hold_behind(route, side, flits);
    return waits - std::min(waits, refund) + paid + lost;
}

/// What messages get and lose whose flits take turns, with so many virtual channels of a leg; 0: they do not.
LinkCalendar::Correction LinkCalendar::share(LinkQueue& queue, const Turn& turn, unsigned channels)
{
    Correction correction;
    if (queue.lost > 0 && turn.flits >= queue.loser)
        correction.paid = std::exchange(queue.lost, 0);
    const Reservation& other = queue.last;
    const std::uint64_t wait = turn.start - turn.arrival;
    const bool takes_turns = channels > 1 || (channels == 1 && turn.leg != other.leg);
    if (takes_turns && wait > 0 && wait <= other.flits) {
        const std::uint64_t passed = std::min(wait, turn.flits);
        correction.refund = wait - passed;
        queue.lost += passed;
        queue.loser = other.flits;
    }
    return correction;
}

/// What a queue would have given to messages that came to a link in another order than they were asked for.
LinkCalendar::Correction LinkCalendar::correct_order(LinkQueue& queue, const Turn& turn)
{
    std::uint64_t overtaken = 0;
    Correction correction;
    if (turn.arrival >= queue.last.arrival) {
        queue.last = {turn.arrival, turn.start, turn.flits, turn.leg};
    } else if (turn.start > queue.last.start) {
        correction.refund = queue.last.flits;
        overtaken = turn.flits;
    } else {
        overtaken = turn.cut;
    }
    if (overtaken > 0) {
        queue.debt += overtaken;
        queue.debt_ahead = turn.ahead;
    } else if (queue.debt > 0 && turn.ahead > queue.debt_ahead) {
        correction.paid = std::exchange(queue.debt, 0);
    }
    return correction;
}

/// Of the virtual channels that it holds while it waits, from the last link to the first.
void LinkCalendar::hold_behind(const LegRoute& route, unsigned leg, std::uint32_t flits)
{
    // Held behind others that go on over the same link, it waits there as well, and holds what is behind
    // that.
    for (std::uint32_t i = route.links - 1; i-- > 0;)
        if (waited_[i].is_held)
            waited_[i].wait = std::max(waited_[i].wait, waited_[i + 1].wait);
    const std::uint32_t held = 1 + (flits - 1) / buffer_flits_; // links behind the one that it waits for
    for (std::uint32_t i = 0; i + 1 < route.links; ++i) {
        std::uint64_t wait = 0;
        for (std::uint32_t j = i + 1; j < route.links && j <= i + held; ++j)
            wait += waited_[j].wait;
        if (wait >> shift_ == 0)
            continue;
        hold(route.link(i), leg, waited_[i].end, wait >> shift_);
        queues_[route.link(i)].held_for[leg] = route.link(i + 1);
    }
}

/// Words that have passed become those behind the end.
void LinkCalendar::recycle(std::uint32_t link, std::uint32_t word)
{
    const std::uint64_t first = std::max(links_[link].seen, word < words ? 0 : word - words);
    for (std::uint64_t i = first; i < word; ++i) {
        const std::uint64_t begin = (i + words) * 64;
        for (unsigned leg = 0; leg < 2; ++leg) {
            const std::uint64_t behind = queues_[link].behind[leg];
            taken(link, i)[leg] = behind > begin ? low_bits(behind - begin) : 0;
        }
    }
    links_[link].seen = word;
}

/// `count` free bits, the first ones from `from` on; 0: none, but where the first one is.
LinkCalendar::Span LinkCalendar::take(std::uint32_t link, Asker asker, std::uint64_t from,
                                      std::uint64_t count)
{
    // One piece within 64 bits from `from` on, of two words, is what most get that do not get the first bits.
    const std::uint64_t end = (std::uint64_t{links_[link].seen} + words) * 64;
    const std::uint64_t least = std::max<std::uint64_t>(count, 1);
    if (from + 64 < end && least < 64) {
        const auto place = static_cast<unsigned>(from % 64);
        Taken& low = taken(link, from / 64);
        Taken& high = taken(link, from / 64 + 1);
        const std::uint64_t there = used_of(low, asker) >> place | used_of(high, asker) << 1 << (63 - place);
        const auto begin = static_cast<unsigned>(std::countr_one(there));
        if (begin + least <= 64 && (there >> begin & low_bits(least)) == 0) {
            const std::uint64_t used = low_bits(count) << begin;
            for (unsigned side = 0; side < 2; ++side) {
                low[side] |= used << place;
                high[side] |= used >> 1 >> (63 - place);
            }
            return {from + begin, from + begin + least - 1, 0};
        }
    }
    return take_pieces(link, asker, from, count);
}

LinkCalendar::Span LinkCalendar::take_pieces(std::uint32_t link, Asker asker, std::uint64_t from,
                                             std::uint64_t count)
{
    const std::uint64_t end = (std::uint64_t{links_[link].seen} + words) * 64;
    constexpr std::uint64_t nowhere = ~std::uint64_t{0};
    Span span{nowhere, from, 0};
    std::uint64_t left = std::max<std::uint64_t>(count, 1);
    for (std::uint64_t at = from; left > 0 && at < end; at = (at / 64 + 1) * 64) {
        Taken& word = taken(link, at / 64);
        std::uint64_t free = ~used_of(word, asker) & ~low_bits(at % 64);
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
            word[0] |= used;
            word[1] |= used;
        }
    }
    if (left > 0) {
        std::array<std::uint64_t, 2>& behind = queues_[link].behind;
        const std::uint64_t queued = asker.goes_along ? std::ranges::min(behind) : behind[asker.leg];
        const std::uint64_t begin = std::max({queued, end, from});
        if (span.first == nowhere)
            span.first = begin;
        else if (span.moved == 0)
            span.moved = left;
        span.last = begin + left - 1;
        if (count > 0)
            for (std::uint64_t& each : behind)
                each = std::max(each, begin + left);
    }
    return span;
}

void LinkCalendar::hold(std::uint32_t link, unsigned leg, std::uint64_t from, std::uint64_t count)
{
    const std::uint64_t end = std::min(from + count, (std::uint64_t{links_[link].seen} + words) * 64);
    if (end < from + count)
        queues_[link].behind[leg] = std::max(queues_[link].behind[leg], from + count);
    for (std::uint64_t at = from; at < end; at = (at / 64 + 1) * 64)
        taken(link, at / 64)[leg] |=
            low_bits(std::min<std::uint64_t>(64, at % 64 + end - at)) & ~low_bits(at % 64);
}

} // namespace nocturne
