// The router's allocators that have no faster way of their own, and speculation.
#include "models/hardware/router.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace nocturne {

void Router::make_allocators()
{
    switch_path_ = switch_path();
    vc_path_ = vc_path();
    const std::size_t speedup = allocation_.input_speedup;
    const Allocator::Shape crossbar{input_ports_.size() * speedup, output_ports_.size(), vcs_};
    if (switch_path_ == SwitchPath::by_allocator)
        switch_allocator_ = std::make_unique<Allocator>(allocation_.switch_allocator, allocation_.arbiter,
                                                        allocation_.iterations, crossbar);
    if (pipeline_.speculation != Speculation::none)
        speculative_allocator_ = std::make_unique<Allocator>(Allocator::beside(*switch_allocator_));
    if (vc_path_ == VcPath::by_islip)
        last_granted_.assign(outputs_.size(), static_cast<std::uint32_t>(inputs_.size() - 1));
    if (vc_path_ == VcPath::by_allocator)
        vc_allocator_ =
            std::make_unique<Allocator>(allocation_.vc_allocator, allocation_.arbiter, 1,
                                        Allocator::Shape{inputs_.size(), outputs_.size(), outputs_.size()});
}

Router::SwitchPath Router::switch_path() const
{
    using enum AllocatorKind;
    const bool is_one_word = inputs_.size() <= 64 && outputs_.size() <= 64 && groups_.size() <= 64;
    if (pipeline_.speculation != Speculation::none || allocation_.input_speedup > 1 ||
        allocation_.arbiter != ArbiterKind::round_robin || allocation_.switch_allocator == wavefront)
        return SwitchPath::by_allocator;
    // With one virtual channel an input has one request, and all that are not waves of diagonals are alike.
    if (vcs_ == 1 || allocation_.switch_allocator == input_first)
        return is_one_word ? SwitchPath::in_turn_one_word : SwitchPath::in_turn;
    return is_one_word && allocation_.switch_allocator == islip && allocation_.iterations == 1
               ? SwitchPath::by_islip_one_word
               : SwitchPath::by_allocator;
}

Router::VcPath Router::vc_path() const
{
    if (adaptive_)
        return VcPath::adaptive;
    if (allocation_.arbiter != ArbiterKind::round_robin)
        return VcPath::by_allocator;
    // With one virtual channel an output gives it to one request: in turn, but for waves of diagonals.
    if (allocation_.vc_allocator == AllocatorKind::rotating ||
        (vcs_ == 1 && allocation_.vc_allocator != AllocatorKind::wavefront))
        return VcPath::in_turn;
    return allocation_.vc_allocator == AllocatorKind::islip ? VcPath::by_islip : VcPath::by_allocator;
}

void Router::give_vc(std::uint32_t group, std::uint32_t input_vc, std::uint32_t output_vc)
{
    requests_.erase(group, input_vc);
    win_vc(input_vc, output_vc);
}

/// The next one in turn that is free of those of a link, or of those of the link that the fewest packets use.
std::uint32_t Router::free_vc_after(const OutputGroup& group, std::uint32_t last) const
{
    if (group.count > vcs_)
        return free_vc_of_emptiest_link(group, last);
    const std::uint32_t end = group.first + group.count;
    std::uint32_t found = free_.next(std::max(group.first, last + 1));
    if (found >= end)
        found = free_.next(group.first);
    return found < end ? found : BitSet::none;
}

void Router::allocate_vcs_otherwise(std::uint32_t index)
{
    const std::uint32_t count = groups_[index].range.count;
    if (vc_path_ == VcPath::adaptive)
        allocate_adaptively(index);
    else if (count > vcs_)
        allocate_in_turn<false>(index);
    else if (vc_path_ == VcPath::by_islip)
        grant_by_islip(index);
    else
        allocate_by_allocator(index);
}

/// One iteration: each free virtual channel grants the next request in turn, each input virtual channel
/// accepts the next grant in turn.
void Router::grant_by_islip(std::uint32_t index)
{
    if (requests_.empty(index))
        return;
    const OutputGroup& range = groups_[index].range;
    struct Accepted {
        std::uint32_t input_vc;
        std::uint32_t output_vc;
    };
    std::array<Accepted, 32> accepted; // without initial values: most of them are not used
    Accepted* end = accepted.data();
    for (std::uint32_t vc = free_.next(range.first); vc < range.first + range.count;
         vc = free_.next(vc + 1)) {
        const std::uint32_t input_vc = requests_.round_robin(index, last_granted_[vc]);
        Accepted* const best = std::find_if(accepted.data(), end,
                                            [&](const Accepted& each) { return each.input_vc == input_vc; });
        if (best == end)
            *end++ = {input_vc, vc};
        else if (best->output_vc <= inputs_[input_vc].last_won && vc > inputs_[input_vc].last_won)
            best->output_vc = vc;
    }
    for (const Accepted* each = accepted.data(); each != end; ++each) {
        last_granted_[each->output_vc] = each->input_vc;
        inputs_[each->input_vc].last_won = each->output_vc;
        give_vc(index, each->input_vc, each->output_vc);
    }
    try_again(index);
}

/// Those who have lost although there was a virtual channel request it once more in the next cycle.
void Router::try_again(std::uint32_t group)
{
    const OutputGroup& range = groups_[group].range;
    if (!requests_.empty(group) && free_.next(range.first) < range.first + range.count)
        groups_to_serve_.insert(group);
}

/// Of several ejection links the next one in turn of those that the fewest packets use: virtual channels of
/// one link share its bandwidth, two links do not.
std::uint32_t Router::free_vc_of_emptiest_link(const OutputGroup& group, std::uint32_t last) const
{
    const std::uint32_t links = group.count / vcs_;
    std::uint32_t best = BitSet::none;
    unsigned most_free = 0;
    for (std::uint32_t i = 1; i <= links; ++i) {
        const std::uint32_t first = group.first + ((last - group.first) / vcs_ + i) % links * vcs_;
        unsigned free = 0;
        for (std::uint32_t vc = first; vc < first + vcs_; ++vc)
            free += free_.contains(vc) ? 1 : 0;
        if (free > most_free) {
            most_free = free;
            best = free_.next(first);
        }
    }
    return best;
}

/// What the packet is to an arbiter that does not only go by turns: the less, the sooner.
std::uint64_t Router::rank_of(const InputVc& vc) const
{
    if (allocation_.arbiter == ArbiterKind::age)
        return packets_[front(vc).packet()].created;
    if (allocation_.arbiter == ArbiterKind::priority)
        return 255u - packets_[front(vc).packet()].priority;
    return 0;
}

void Router::allocate_by_allocator(std::uint32_t index)
{
    const OutputGroup& range = groups_[index].range;
    requests_.for_each(index, [&](std::uint32_t input_vc) {
        for (std::uint32_t vc = range.first; vc < range.first + range.count; ++vc)
            if (free_.contains(vc))
                vc_allocator_->add({input_vc, vc, vc, rank_of(inputs_[input_vc])});
    });
    for (const Allocator::Request& granted : vc_allocator_->allocate())
        give_vc(index, granted.input, granted.output);
    try_again(index);
}

/// Does another virtual channel of the input wait longer for the same narrow link? In turn it could be the
/// same one that sends each time, as the input serves others while the link is busy; other arbiters go by age
/// and the like.
bool Router::waits_behind_another(std::uint32_t port, std::uint32_t vc) const
{
    const InputVc& own = inputs_[port * vcs_ + vc];
    if (!own.output->is_narrow || allocation_.arbiter != ArbiterKind::round_robin)
        return false;
    bool result = false;
    for_each_bit(input_ports_[port].ready, [&](std::uint32_t other) {
        const InputVc& one = inputs_[port * vcs_ + other];
        result = result ||
                 (one.output == own.output && std::pair(one.eligible, other) < std::pair(own.eligible, vc));
    });
    return result;
}

std::uint32_t Router::requesting_narrow(std::uint32_t port, Cycle now) const
{
    std::uint32_t ready = input_ports_[port].ready;
    for_each_bit(input_ports_[port].ready, [&](std::uint32_t vc) {
        if (inputs_[port * vcs_ + vc].output->free_at > now || waits_behind_another(port, vc))
            ready &= ~(1u << vc);
    });
    return ready;
}

/// When the link takes the next flit: one leaves now.
Cycle Router::free_after_flit(const OutputPort& output, Cycle now)
{
    if (paces_.empty() || paces_[index_of(output)].is_full())
        return now + output.cycles_per_flit;
    return paces_[index_of(output)].next(now);
}

void Router::allocate_switch_by_allocator()
{
    const Cycle now = domain_.cycle();
    const std::uint32_t speedup = allocation_.input_speedup;
    ready_inputs_.for_each([&](std::uint32_t port) {
        for_each_bit(requesting(port, now), [&](std::uint32_t vc) {
            const InputVc& input = inputs_[port * vcs_ + vc];
            switch_allocator_->add(
                {port * speedup + vc % speedup, index_of(*input.output), vc, rank_of(input)});
        });
    });
    const std::span<const Allocator::Request> granted = switch_allocator_->allocate();
    for (const Allocator::Request& each : granted)
        traverse_switch(each);
    if (speculative_allocator_)
        take_speculative_grants(granted);
}

// Speculation.

/// Heads that request a virtual channel now request the switch as well, if one that they could get is free
/// and has a credit.
void Router::bid_speculatively()
{
    if (!speculative_allocator_)
        return;
    const Cycle now = domain_.cycle();
    const std::uint32_t speedup = allocation_.input_speedup;
    groups_to_serve_.for_each([&](std::uint32_t index) {
        const OutputGroup& range = groups_[index].range;
        const std::uint32_t expected = free_vc(groups_[index]); // of several links one
        if (expected == BitSet::none)
            return;
        const OutputPort& output = output_ports_[expected / vcs_];
        if (output.free_at > now)
            return;
        const std::uint32_t first = expected / vcs_ * vcs_;
        bool has_one = false;
        for (std::uint32_t vc = std::max(first, range.first);
             vc < std::min(first + vcs_, range.first + range.count); ++vc)
            has_one = has_one || (free_.contains(vc) && has_credit(output, outputs_[vc], now));
        if (!has_one)
            return;
        requests_.for_each(index, [&](std::uint32_t input_vc) {
            const InputVc& input = inputs_[input_vc];
            speculative_allocator_->add(
                {input.port * speedup + input.vc % speedup, expected / vcs_, input.vc, rank_of(input)});
        });
    });
}

/// `sure`: what flits with a virtual channel have got.
void Router::take_speculative_grants(std::span<const Allocator::Request> sure)
{
    const Cycle now = domain_.cycle();
    for (const Allocator::Request& granted : speculative_allocator_->allocate(sure)) {
        const std::uint32_t port = granted.input / allocation_.input_speedup;
        const std::uint32_t input_vc = port * vcs_ + granted.member;
        InputVc& vc = inputs_[input_vc];
        if (!won_.contains(input_vc) || index_of(*vc.output) != granted.output || !has_credit(vc, now))
            continue;
        won_.erase(input_vc);
        vc.phase = Phase::active;
        request_switch(vc);
        traverse_switch(granted);
    }
}

} // namespace nocturne
