// What faults meet, and what of a message they let through. What becomes of the rest is in worm_cuts.cpp.
#include "models/network/fault_plan.hpp"
#include "models/worm/worm_network.hpp"

#include <algorithm>

namespace nocturne {

// The plan.

void WormNetwork::plan_faults(const Faults& faults, DownTime down)
{
    downs_.resize(plan_.links());
    refuse_faults_at_gates();
    for (const LinkDown& part : links_down(plan_, faults, down))
        downs_[part.link].push_back(part.down);
    PlannedFault fault{faults.channels, {}, down};
    for (const RouterId router : faults.routers) {
        const std::vector<std::uint32_t> into = plan_.links_into(router);
        fault.into_routers.insert(fault.into_routers.end(), into.begin(), into.end());
    }
    calendar_.schedule(std::max(down.from, now()), fault_begins | static_cast<std::uint32_t>(faults_.size()));
    faults_.push_back(std::move(fault));
}

/// Is a link of its route down, or will be?
bool WormNetwork::is_endangered(const Sending& sending, const Route& route) const
{
    const auto is_down_later = [&](std::uint32_t link) {
        return std::any_of(downs_[link].begin(), downs_[link].end(),
                           [&](const DownTime& down) { return down.until > now(); });
    };
    return is_down_later(plan_.first_injection_link(sending.source)) ||
           is_down_later(plan_.first_ejection_link(sending.destination)) ||
           std::any_of(route.begin(), route.end(),
                       [&](const Hop& hop) { return is_down_later(hop.channel); });
}

// What is lost.

/// A flit that departs at that time: it is on the wire from the cycle in which it enters it to the one before
/// it comes.
bool WormNetwork::is_lost(std::uint32_t link, std::uint64_t departs, const DownTime& down) const
{
    const std::uint64_t arrives = departs + plan_.timing(link).flit_cycles;
    return arrives > down.from && departs + plan_.departure_cycles(link) < down.until;
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
    if (worm.lags != none && !worm.has_interfered)
        return passage.head + compute_tail_lags(plan_.timings(), plan_.pipeline().head_cycles(),
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
    clients_[worm.client]->message_lost(worm.message);
}

// The cycle of a fault.

void WormNetwork::begin_fault(std::uint32_t number)
{
    enum class Part : std::uint8_t { other, down, into_router };
    std::vector<Part> parts(plan_.links());
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

} // namespace nocturne
