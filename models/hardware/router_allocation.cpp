// How a router gives outputs to packets, and the switch to flits.
#include "models/hardware/router.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace nocturne {

namespace {

/// The first set bit after `last` in circular order; `mask` is not 0.
std::uint32_t round_robin(std::uint32_t mask, std::uint32_t last)
{
    const std::uint32_t after = last >= 31 ? 0 : mask & (~0u << (last + 1));
    return static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : mask));
}

/// The next places, which a burst will need in one of the next cycles. Out of line: for large networks only.
[[gnu::noinline]] void fetch_slots(const BufferCursor& source, const BufferCursor& target)
{
    constexpr std::uint32_t per_line = Arena::line_bytes / sizeof(BufferSlot);
    for (const BufferCursor* buffer : {&source, &target}) {
        const std::uint32_t behind = buffer->position + per_line;
        __builtin_prefetch(buffer->slots + buffer->position);
        __builtin_prefetch(buffer->slots + (behind < buffer->depth ? behind : 0));
    }
}

} // namespace

bool Router::tick()
{
    if (shows_credits_) [[unlikely]]
        keep_credits();
    switch (switch_path_) {
    case SwitchPath::in_turn_one_word:
        return step<SwitchPath::in_turn_one_word>();
    case SwitchPath::by_islip_one_word:
        return step<SwitchPath::by_islip_one_word>();
    case SwitchPath::in_turn:
        return step<SwitchPath::in_turn>();
    default:
        return step<SwitchPath::by_allocator>();
    }
}

// Virtual-channel allocation.

template <bool is_small>
[[gnu::always_inline]] inline void Router::allocate_vcs(std::uint32_t index)
{
    if (vc_path_ == VcPath::in_turn)
        allocate_in_turn<is_small>(index);
    else if (is_small && vc_path_ == VcPath::by_islip && groups_[index].range.count <= vcs_)
        allocate_by_islip(index);
    else
        allocate_vcs_otherwise(index);
}

/// Serves all requests for which there is a virtual channel.
template <bool is_small>
void Router::allocate_in_turn(std::uint32_t index)
{
    Group& group = groups_[index];
    for (;;) {
        std::uint32_t input_vc = BitSet::none;
        if constexpr (is_small) {
            const std::uint64_t requests = requests_.word(index);
            input_vc = requests == 0 ? BitSet::none : next_bit_in_turn(requests, group.last_request);
        } else {
            input_vc = requests_.round_robin(index, group.last_request);
        }
        if (input_vc == BitSet::none)
            return;
        const std::uint32_t output_vc =
            group.range.count == 1 && free_.contains(group.range.first) ? group.range.first : free_vc(group);
        if (output_vc == BitSet::none)
            return; // they sleep until a tail releases a virtual channel of the group
        group.last_request = input_vc;
        group.last_won = output_vc;
        give_vc(index, input_vc, output_vc);
    }
}

template void Router::allocate_in_turn<false>(std::uint32_t);

/// Of a small router. In the usual case there is one request, which all free virtual channels grant.
inline void Router::allocate_by_islip(std::uint32_t index)
{
    const OutputGroup& range = groups_[index].range;
    std::uint64_t& requests = requests_.word(index);
    if ((requests & (requests - 1)) != 0) {
        grant_by_islip(index);
        return;
    }
    const std::uint64_t free = free_.word() & ~(~std::uint64_t{1} << (range.count - 1)) << range.first;
    if (requests == 0 || free == 0)
        return;
    const auto input_vc = static_cast<std::uint32_t>(std::countr_zero(requests));
    const std::uint32_t output_vc = next_bit_in_turn(free, inputs_[input_vc].last_won);
    last_granted_[output_vc] = input_vc;
    inputs_[input_vc].last_won = output_vc;
    requests = 0;
    take_output_vc(input_vc, output_vc);
}

void Router::win_vc(std::uint32_t input_vc, std::uint32_t output_vc)
{
    take_output_vc(input_vc, output_vc);
}

[[gnu::always_inline]] inline void Router::take_output_vc(std::uint32_t input_vc, std::uint32_t output_vc)
{
    InputVc& vc = inputs_[input_vc];
    free_.erase(output_vc);
    outputs_[output_vc].owner = input_vc;
    ++outputs_[output_vc].packets;
    if (vcs_ != 1)
        input_ports_[vc.port].owners |= 1u << vc.vc;
    blocked_cycles_ += domain_.cycle() - vc.eligible;
    const std::uint32_t port = port_of(output_vc);
    vc.output_vc = &outputs_[output_vc];
    vc.output = &output_ports_[port];
    if (is_in_large_network_)
        fetch_slots(vc.buffer, vc.output_vc->buffer);
    vc.on_link = static_cast<std::uint8_t>(output_vc - port * vcs_);
    vc.eligible = domain_.cycle() + pipeline_.switch_allocation;
    if (pipeline_.switch_allocation == 0 && pipeline_.speculation == Speculation::none) {
        vc.phase = Phase::active;
        make_ready(input_vc);
    } else {
        vc.phase = Phase::won_vc;
        if (pipeline_.switch_allocation <= 1)
            won_.insert(input_vc);
        else
            domain_.schedule(vc.eligible, *this, event_code(competes_for_switch, input_vc));
    }
}

// Switch allocation and traversal.

void Router::make_ready(std::uint32_t input_vc)
{
    make_ready(inputs_[input_vc]);
    domain_.activate(handle_);
}

[[gnu::always_inline]] inline void Router::make_ready(InputVc& vc)
{
    if (!has_credit(vc, domain_.cycle())) {
        await_credit(vc);
        return;
    }
    vc.awaits = Awaits::nothing;
    if (vcs_ != 1 &&
        (vc.output->free_at > domain_.cycle() || input_ports_[vc.port].free_at > domain_.cycle()))
        cut_bursts_beside(vc);
    insert_ready(vc);
}

void Router::request_switch(const InputVc& vc)
{
    insert_ready(vc);
}

[[gnu::always_inline]] inline void Router::insert_ready(const InputVc& vc)
{
    input_ports_[vc.port].ready |= 1u << vc.vc;
    if (switch_path_ == SwitchPath::by_islip_one_word) {
        vc.output->contenders |= 1ull << index_of(vc);
        contended_outputs_ |= 1ull << index_of(*vc.output);
    } else {
        ready_inputs_.insert(vc.port);
    }
}

void Router::erase_ready(const InputVc& vc)
{
    if (switch_path_ == SwitchPath::by_islip_one_word)
        request_no_more<SwitchPath::by_islip_one_word>(vc.port, vc.vc, *vc.output);
    else
        request_no_more<SwitchPath::by_allocator>(vc.port, vc.vc, *vc.output);
}

template <Router::SwitchPath path>
bool Router::step()
{
    constexpr bool is_small = path == SwitchPath::in_turn_one_word || path == SwitchPath::by_islip_one_word;
    const auto is_empty = [](BitSet& set) {
        if constexpr (is_small)
            return set.word() == 0;
        else
            return set.empty();
    };
    if (!is_empty(won_)) {
        won_.for_each([this](std::uint32_t input_vc) {
            inputs_[input_vc].phase = Phase::active;
            make_ready(inputs_[input_vc]);
        });
        won_.clear();
    }
    if constexpr (path == SwitchPath::by_allocator)
        bid_speculatively();
    if (!is_empty(groups_to_serve_))
        groups_to_serve_.for_each([this](std::uint32_t group) {
            groups_to_serve_.erase(group);
            allocate_vcs<is_small>(group);
        });
    if constexpr (path == SwitchPath::by_allocator)
        allocate_switch_by_allocator();
    else if constexpr (path == SwitchPath::by_islip_one_word)
        allocate_switch_by_islip();
    else
        allocate_switch_in_turn<is_small>();
    const bool is_requested =
        path == SwitchPath::by_islip_one_word ? contended_outputs_ != 0 : !is_empty(ready_inputs_);
    return is_requested || !is_empty(groups_to_serve_) || !is_empty(won_);
}

/// Inputs first, then outputs.
template <bool is_small>
[[gnu::always_inline]] inline void Router::allocate_switch_in_turn()
{
    const Cycle now = domain_.cycle();
    if constexpr (is_small) {
        const std::uint64_t ready = ready_inputs_.word();
        if (ready == 0)
            return;
        if ((ready & (ready - 1)) == 0) { // the usual case: nothing to arbitrate
            const auto port = static_cast<std::uint32_t>(std::countr_zero(ready));
            if (const std::uint32_t chosen = choose_vc(port, now); chosen != BitSet::none)
                traverse<SwitchPath::in_turn_one_word>(now, port, chosen);
            return;
        }
        std::array<std::uint32_t, 64> choices; // without initial values: most of them are not used
        std::uint64_t contended = 0;
        for_each_bit(ready, [&](std::uint32_t port) {
            choices[port] = choose_vc(port, now);
            if (choices[port] == BitSet::none)
                return;
            OutputPort& output = *inputs_[port * vcs_ + choices[port]].output;
            output.contenders |= 1ull << port;
            contended |= 1ull << index_of(output);
        });
        for_each_bit(contended, [&](std::uint32_t output) {
            OutputPort& arbiter = output_ports_[output];
            const std::uint32_t port = next_bit_in_turn(std::exchange(arbiter.contenders, 0), arbiter.last);
            traverse<SwitchPath::in_turn_one_word>(now, port, choices[port]);
        });
    } else {
        ready_inputs_.for_each([this, now](std::uint32_t port) {
            const std::uint32_t chosen = choose_vc(port, now);
            if (chosen == BitSet::none)
                return;
            const std::uint32_t output = index_of(*inputs_[port * vcs_ + chosen].output);
            contenders_.insert(output, port);
            contended_.insert(output);
        });
        contended_.for_each([this, now](std::uint32_t output) {
            const std::uint32_t port = contenders_.round_robin(output, output_ports_[output].last);
            contenders_.clear(output);
            traverse<SwitchPath::in_turn>(now, port, choose_vc(port, now));
        });
        contended_.clear();
    }
}

/// The input in turn of those that have flits for the output.
inline std::uint32_t Router::grant_of(const OutputPort& output) const
{
    const std::uint32_t last_vc = output.last * vcs_ + vcs_ - 1;
    return inputs_[next_bit_in_turn(output.contenders, last_vc)].port;
}

/// The virtual channel in turn of those of the input that have flits for the output.
inline std::uint32_t Router::accepted_vc(std::uint32_t port, const OutputPort& output) const
{
    const auto all = static_cast<std::uint32_t>(output.contenders >> port * vcs_ & vc_mask_);
    if ((all & (all - 1)) == 0)
        return static_cast<std::uint32_t>(std::countr_zero(all));
    std::uint32_t vc = round_robin(all, input_ports_[port].last);
    while (has_narrow_links_ && waits_behind_another(port, vc))
        vc = round_robin(all, vc);
    return vc;
}

/// One iteration: each output grants the next input in turn, each input accepts the next grant in turn, and
/// of its virtual channels for that output takes the next one in turn.
[[gnu::always_inline]] inline void Router::allocate_switch_by_islip()
{
    const Cycle now = domain_.cycle();
    std::array<std::uint64_t, 64> grants; // by input: outputs; without initial values
    std::uint64_t granted = 0;
    for_each_bit(contended_outputs_, [&](std::uint32_t output) {
        if (has_narrow_links_ && output_ports_[output].free_at > now)
            return;
        const std::uint32_t port = grant_of(output_ports_[output]);
        const std::uint64_t bit = 1ull << port;
        grants[port] = ((granted & bit) != 0 ? grants[port] : 0) | 1ull << output;
        granted |= bit;
    });
    for_each_bit(granted, [&](std::uint32_t port) {
        InputPort& input = input_ports_[port];
        input.last_output = next_bit_in_turn(grants[port], input.last_output);
        traverse<SwitchPath::by_islip_one_word>(now, port,
                                                accepted_vc(port, output_ports_[input.last_output]));
    });
}

/// The input's arbiter; none if all are busy that its flits are for.
inline std::uint32_t Router::choose_vc(std::uint32_t port, Cycle now) const
{
    if (vcs_ == 1)
        return has_narrow_links_ && inputs_[port].output->free_at > now ? BitSet::none : 0;
    const std::uint32_t mask = requesting(port, now);
    return mask == 0 ? BitSet::none : round_robin(mask, input_ports_[port].last);
}

/// The chosen virtual channel of the input has won the switch.
template <Router::SwitchPath path>
inline void Router::traverse(Cycle now, std::uint32_t port, std::uint32_t chosen)
{
    if (vcs_ != 1)
        input_ports_[port].last = chosen;
    InputVc& vc = inputs_[port * vcs_ + chosen];
    OutputPort& output = *vc.output;
    output.last = port;
    BufferSlot& from = vc.buffer.slot();
    const Flit flit = from.flit();
    if (sends_bursts(vc) && !flit.is_tail() && (vcs_ == 1 || is_alone(vc))) {
        send_burst(vc, now);
        request_no_more<path>(port, chosen, output);
        return;
    }
    ++output.flits;
    blocked_cycles_ += now - vc.eligible;
    if (from.empty(now + vc.credit_cycles) || vc.returns_credits) [[unlikely]]
        wake_sender(vc, now);
    vc.buffer.advance();
    if (output.is_plain) [[likely]] {
        BufferCursor& to = vc.output_vc->buffer;
        if (to.slot().fill(flit, now + output.flit_cycles))
            wake_receiver(vc, flit, now);
        to.advance();
        vc.eligible = now + 1;
        if (!flit.is_tail() && vc.buffer.slot().has_arrived(now + 1) && to.slot().has_credit(now + 1))
            return;
    } else {
        output.free_at = has_narrow_links_ ? free_after_flit(output, now) : now + 1;
        vc.eligible = output.free_at;
        send(vc, flit, now);
    }
    if (flit.is_tail())
        release(vc);
    else if (stays_ready(vc))
        return;
    request_no_more<path>(port, chosen, output);
}

template <Router::SwitchPath path>
inline void Router::request_no_more(std::uint32_t port, std::uint32_t chosen, OutputPort& output)
{
    std::uint32_t others = 0;
    if (vcs_ != 1)
        others = input_ports_[port].ready &= ~(1u << chosen);
    if constexpr (path == SwitchPath::by_islip_one_word) {
        output.contenders &= ~(1ull << (port * vcs_ + chosen));
        if (output.contenders == 0)
            contended_outputs_ &= ~(1ull << index_of(output));
    } else if (others == 0) {
        if constexpr (path == SwitchPath::in_turn_one_word)
            ready_inputs_.word() &= ~(1ull << port);
        else
            ready_inputs_.erase(port);
    }
}

void Router::traverse_switch(const Allocator::Request& granted)
{
    traverse<SwitchPath::by_allocator>(domain_.cycle(), granted.input / allocation_.input_speedup,
                                       granted.member);
}

} // namespace nocturne
