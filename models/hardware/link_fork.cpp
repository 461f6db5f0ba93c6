#include "models/hardware/link_fork.hpp"

#include <algorithm>
#include <utility>

namespace nocturne {

LinkFork::LinkFork(ClockDomain& domain, PacketPool& packets, Link& link, unsigned vcs, unsigned copies)
    : domain_(domain), packets_(packets), link_(link), inputs_(copies), channels_(vcs)
{
    for (Channel& channel : channels_)
        channel.copies.resize(copies);
    link_.connect_receiver(*this, 0);
}

void LinkFork::connect(unsigned copy, Receiver receiver)
{
    for (unsigned vc = 0; vc < channels_.size(); ++vc)
        channels_[vc].copies[copy] = {receiver.buffers[vc], receiver.buffers[vc]};
    inputs_[copy] = std::move(receiver);
}

void LinkFork::on_event(std::uint32_t code, std::uint64_t data)
{
    const unsigned vc = code % most_vcs;
    if (code >= most_vcs)
        look_at_credits(code / most_vcs - 1, vc);
    else
        channels_[vc].held.emplace_back(data);
    hand_in(vc);
}

/// What is held, up to a head whose turn has not come.
void LinkFork::hand_in(unsigned vc)
{
    Channel& channel = channels_[vc];
    while (!channel.held.empty()) {
        const Flit flit = channel.held.front();
        if (flit.is_head()) {
            const bool parts = packets_[flit.packet()].parts();
            if ((parts || channel.branches.size() > 1) && channel.present > 0)
                return;
            begin(channel, flit.packet());
        }
        channel.held.pop_front();
        ++channel.present;
        for (unsigned copy = 0; copy < channel.branches.size(); ++copy)
            give(copy, vc, flit.of(channel.branches[copy]));
        if (flit.is_tail() && channel.branches.front() != flit.packet())
            packets_.release(flit.packet());
    }
}

void LinkFork::begin(Channel& channel, PacketId packet)
{
    channel.branches.assign(1, packet);
    if (packets_[packet].parts())
        channel.branches = packets_[packet].detour;
    for (const PacketId branch : channel.branches) {
        packets_[branch].created = packets_[packet].created;
        packets_[branch].injected = packets_[packet].injected;
    }
    if (channel.present == 0)
        for (Copy& copy : channel.copies)
            copy.handed = copy.left = 0;
}

void LinkFork::give(unsigned copy, unsigned vc, Flit flit)
{
    Copy& to = channels_[vc].copies[copy];
    BufferSlot& slot = to.next.slot();
    const bool is_awaited = slot.fill(flit, domain_.now());
    if (to.handed++ == to.left)
        slot.await(); // for its credit
    to.next.advance();
    if (!is_awaited)
        return;
    const Receiver& input = inputs_[copy];
    if (flit.is_head() && input.head_cycles > 0)
        domain_.schedule(domain_.now() + input.head_cycles, *input.component, input.first_due_code + vc);
    else
        input.component->on_event(input.first_due_code + vc, 0);
}

/// Flits have left the input. One that all branches have sent leaves a place behind, as of the last cycle.
void LinkFork::look_at_credits(unsigned copy, unsigned vc)
{
    Channel& channel = channels_[vc];
    Copy& from = channel.copies[copy];
    const auto slowest = [&] {
        std::uint64_t least = ~std::uint64_t{0};
        for (std::size_t i = 0; i < channel.branches.size(); ++i)
            least = std::min(least, channel.copies[i].left);
        return least;
    };
    const std::uint64_t before = slowest();
    for (const Cycle now = domain_.now(); from.left != from.handed; ++from.left, from.oldest.advance()) {
        BufferSlot& slot = from.oldest.slot();
        if (slot.has_credit(now))
            continue;
        if (slot.is_full())
            slot.await();
        else
            domain_.schedule(slot.cycle(), *this, credit_code(copy) + vc);
        break;
    }
    for (std::uint64_t free = slowest() - before; free > 0; --free, --channel.present)
        domain_.schedule(domain_.now() - 1 + link_.credit_cycles(), *link_.sender().component,
                         link_.sender().first_code + vc);
}

} // namespace nocturne
