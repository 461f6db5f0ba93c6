// Links that fail, for good or for a while: what becomes of the flits on them, and of the worms that they
// tear.
#pragma once

#include "models/hardware/flit.hpp"
#include "models/network/down_time.hpp"

#include <array>
#include <vector>

namespace nocturne {

class Link;

/// The link controllers at both ends of a link that is to fail. A flit is on the wire from the cycle in which
/// it enters it to the one before it is at the receiver; it is lost if the link is down in any of them. What
/// real links do about it:
///
///   upstream    A link that is down goes on taking flits, swallows them and returns their credits, so that
///               the worm behind drains and its channels come free. Credits are never lost: both ends count
///               absolutely, as in InfiniBand (InfiniBand Architecture Specification, vol. 1, "Flow
///               Control"), and agree again after an error.
///   downstream  If the head of the worm has already passed, the first flit that is lost is replaced by a
///               *poison tail*: a tail that marks the packet as bad, as InfiniBand's end-bad-packet delimiter
///               and PCI Express' "end bad" do. It needs no place but that of the lost flit, travels as any
///               tail, releases the channels, and makes the destination discard the packet.
///   the rest    What comes after the cut is swallowed up to the worm's tail, also when the link is up again:
///               there is no head that it could follow.
///
/// It stands between the link and both its ends; a link for which no fault is planned has none and costs
/// nothing.
class LinkFault final : public Clocked {
public:
    LinkFault(ClockDomain& domain, PacketPool& packets, Link& link);

    void add(DownTime down) { downs_.push_back(down); }

    /// Where flits and credits go on to, as Link::connect_receiver and Link::connect_sender have it.
    void connect(Clocked& sender, std::uint32_t sender_code, Clocked& receiver, std::uint32_t receiver_code);

    /// The router behind the link has failed and lost what it had of the worms: their rest is swallowed.
    void abandon_worms();
    /// The router before the link has failed in the middle of a worm: its part behind the link gets a poison
    /// tail. That takes a place of the receiver's buffer: one whose credit the caller gives away, or the next
    /// that comes free.
    enum class Place { granted, awaited };
    void close_worm(unsigned vc, PacketId packet, Place place);

    /// The packet whose head was delivered last on a virtual channel.
    PacketId last_packet(unsigned vc) const { return worms_[vc].packet; }
    /// Flits that did not get through.
    std::uint64_t flits_lost() const { return flits_lost_; }

    void on_event(std::uint32_t code, std::uint64_t data) override;

    static constexpr std::uint32_t flit_code =
        0; ///< the first of its event codes for flits, one a virtual channel
    static constexpr std::uint32_t credit_code = 32; ///< and for credits

private:
    /// What the receiver's end knows of the worm on a virtual channel.
    struct Worm {
        enum class State : std::uint8_t {
            none, ///< the next flit is a head
            open, ///< its head has been delivered, its tail has not
            cut   ///< what comes up to its tail is swallowed
        } state = State::none;
        PacketId packet = 0;
        bool owes_poison = false; ///< as soon as there is a credit
        PacketId owed_to = 0;
    };

    bool is_lost_now() const;
    void receive(unsigned vc, Flit flit);
    void lose(unsigned vc, Flit flit);
    void swallow(unsigned vc, Flit flit);
    void deliver(unsigned vc, Flit flit);
    void send_poison(unsigned vc, PacketId packet);

    ClockDomain& domain_;
    PacketPool& packets_;
    Link& link_;
    Clocked* sender_ = nullptr;
    Clocked* receiver_ = nullptr;
    std::uint32_t sender_code_ = 0;
    std::uint32_t receiver_code_ = 0;
    std::vector<DownTime> downs_;
    std::array<Worm, 32> worms_; ///< by virtual channel
    std::uint64_t flits_lost_ = 0;
};

} // namespace nocturne
