#include "models/hardware/link_fault.hpp"

#include "models/hardware/link.hpp"

#include <algorithm>

namespace nocturne {

LinkFault::LinkFault(ClockDomain& domain, PacketPool& packets, Link& link)
    : domain_(domain), packets_(packets), link_(link)
{
}

void LinkFault::connect(Clocked& sender, std::uint32_t sender_code, Clocked& receiver,
                        std::uint32_t receiver_code)
{
    sender_ = &sender;
    sender_code_ = sender_code;
    receiver_ = &receiver;
    receiver_code_ = receiver_code;
}

void LinkFault::on_event(std::uint32_t code, std::uint64_t data)
{
    if (code < credit_code) {
        receive(code - flit_code, Flit(data));
        return;
    }
    const unsigned vc = code - credit_code;
    Worm& worm = worms_[vc];
    if (worm.owes_poison) {
        worm.owes_poison = false;
        send_poison(vc, worm.owed_to);
    } else {
        sender_->on_event(sender_code_ + vc, 0);
    }
}

/// For a flit that reaches the receiver in this cycle.
bool LinkFault::is_lost_now() const
{
    const Cycle now = domain_.now();
    const Cycle entered = now - (link_.config().latency_cycles + link_.config().cycles_per_flit - 1);
    return std::any_of(downs_.begin(), downs_.end(),
                       [&](const DownTime& down) { return entered < down.until && now > down.from; });
}

void LinkFault::receive(unsigned vc, Flit flit)
{
    if (worms_[vc].state == Worm::State::cut)
        swallow(vc, flit);
    else if (is_lost_now())
        lose(vc, flit);
    else
        deliver(vc, flit);
}

void LinkFault::lose(unsigned vc, Flit flit)
{
    Worm& worm = worms_[vc];
    if (worm.state == Worm::State::none) {
        worm.state = Worm::State::cut;
        swallow(vc, flit);
        return;
    }
    flits_lost_ += flit.is_poison() ? 0 : 1;
    if (!flit.is_tail())
        ++packets_[flit.packet()].fragments; // the worm behind the cut has an end of its own
    deliver(vc, Flit::poison(flit.packet()));
    worm.state = flit.is_tail() ? Worm::State::none : Worm::State::cut;
}

void LinkFault::swallow(unsigned vc, Flit flit)
{
    flits_lost_ += flit.is_poison() ? 0 : 1;
    link_.return_credit(vc);
    if (flit.is_tail()) {
        worms_[vc].state = Worm::State::none;
        packets_.end_piece(flit.packet());
    }
}

void LinkFault::deliver(unsigned vc, Flit flit)
{
    worms_[vc].state = flit.is_tail() ? Worm::State::none : Worm::State::open;
    worms_[vc].packet = flit.packet();
    receiver_->on_event(receiver_code_ + vc, flit.word());
}

void LinkFault::abandon_worms()
{
    for (Worm& worm : worms_)
        if (worm.state == Worm::State::open)
            worm.state = Worm::State::cut;
}

void LinkFault::close_worm(unsigned vc, PacketId packet, Place place)
{
    if (place == Place::granted) {
        send_poison(vc, packet);
        return;
    }
    worms_[vc].owes_poison = true;
    worms_[vc].owed_to = packet;
}

/// Behind everything that the sender has committed.
void LinkFault::send_poison(unsigned vc, PacketId packet)
{
    domain_.schedule(domain_.now() + link_.flit_cycles(), *this, flit_code + vc, Flit::poison(packet).word());
}

} // namespace nocturne
