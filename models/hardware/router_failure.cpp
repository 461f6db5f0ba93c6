// What a router does when it fails. Apart from the rest of Router, which knows nothing of failures.
#include "models/hardware/router.hpp"

#include <algorithm>
#include <numeric>

namespace nocturne {

std::uint64_t Router::flits() const
{
    std::uint64_t sum = 0;
    for (std::uint32_t port = 0; port < outputs(); ++port)
        sum += flits(port);
    return sum;
}

std::uint64_t Router::flits(std::uint32_t port) const
{
    const OutputPort& output = output_ports_[port];
    const Cycle next = domain_.settled() + 1;
    const bool is_in_burst = !output.is_narrow && output.free_at > next;
    return output.flits - (is_in_burst ? output.free_at - next : 0);
}

std::uint64_t Router::packets(std::uint32_t port) const
{
    std::uint64_t sum = 0;
    for (unsigned vc = 0; vc < vcs_; ++vc)
        sum += outputs_[port * vcs_ + vc].packets;
    return sum;
}

std::uint64_t Router::credits() const
{
    std::uint64_t sum = 0;
    for (std::uint32_t vc = 0; vc < outputs_.size(); ++vc) {
        const BufferCursor& buffer = outputs_[vc].buffer;
        if (output_ports_[vc / vcs_].has_buffers && !output_ports_[vc / vcs_].counts_credits)
            sum += buffer.places();
        else
            sum += outputs_[vc].credits;
    }
    return sum;
}

void Router::fail(std::uint32_t)
{
    for (InputVc& vc : inputs_) {
        if (vc.phase == Phase::won_vc || vc.phase == Phase::active)
            tear_worm(vc);
        drop_buffer(vc);
        vc.phase = Phase::idle;
        vc.awaits = Awaits::nothing;
    }
    for (InputPort& port : input_ports_) {
        port.ready = port.owners = 0;
        port.link->fault()->abandon_worms();
    }
    for (std::size_t group = 0; group < groups_.size(); ++group)
        requests_.clear(group);
    groups_to_serve_.clear();
    for (OutputPort& port : output_ports_)
        port.contenders = 0;
    contended_outputs_ = 0;
    ready_inputs_.clear();
    won_.clear();
}

/// Gives the output back. If the head is already through, the worm has been cut in two, and the part that is
/// on its way needs a tail.
void Router::tear_worm(const InputVc& vc)
{
    OutputVc& output = *vc.output_vc;
    output.owner = BitSet::none;
    free_.insert(index_of(output));
    const bool is_empty = !vc.buffer.slot().is_full();
    if (!is_empty && front(vc).is_head())
        return;
    const PacketId packet =
        is_empty ? input_ports_[vc.port].link->fault()->last_packet(vc.vc) : front(vc).packet();
    ++packets_[packet].fragments;
    LinkFault& wire = *link_of(*vc.output).fault();
    if (output.credits == 0) {
        wire.close_worm(vc.on_link, packet, LinkFault::Place::awaited);
    } else {
        --output.credits;
        wire.close_worm(vc.on_link, packet, LinkFault::Place::granted);
    }
}

void Router::drop_buffer(InputVc& vc)
{
    for (; vc.buffer.slot().is_full(); vc.buffer.advance()) {
        const Flit flit = front(vc);
        flits_lost_ += flit.is_poison() ? 0 : 1;
        vc.buffer.slot().empty(domain_.cycle());
        input_ports_[vc.port].link->return_credit(vc.vc);
        if (flit.is_tail())
            packets_.end_piece(flit.packet());
    }
    vc.buffer.slot().await();
}

} // namespace nocturne
