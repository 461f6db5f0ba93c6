// The end of a link at a router that copies packets.
#pragma once

#include "models/hardware/link.hpp"

#include <array>
#include <deque>
#include <vector>

namespace nocturne {

/// Hands the flits that come over a link to inputs of its router. A tree (Packet::is_tree) ends where its
/// branches begin: each gets an input of its own, as if the buffer of the link had a read port for each, and
/// goes its way from there on. A place in the buffer, and so the credit, comes free when the slowest branch
/// has sent the flit, and a packet behind is seen by the router when all branches have sent the tail. What
/// does not part goes through the first input, in the same cycles as without this.
class LinkFork final : public Clocked {
public:
    /// All must outlive it. `copies`: inputs of the router, 1 or more.
    LinkFork(ClockDomain& domain, PacketPool& packets, Link& link, unsigned vcs, unsigned copies);

    /// An input of the router, which sees this as its sender: credits of virtual channel v are the event
    /// credit_code(copy) + v, a cycle after the flit has left.
    void connect(unsigned copy, Receiver receiver);
    static constexpr std::uint32_t credit_code(unsigned copy) { return (1 + copy) * most_vcs; }

    void on_event(std::uint32_t code, std::uint64_t data) override;

private:
    static constexpr std::uint32_t most_vcs = 32;

    /// A virtual channel of one input, as its sender sees it.
    struct Copy {
        BufferCursor next;        ///< place for a flit
        BufferCursor oldest;      ///< that is not known to be free
        std::uint64_t handed = 0; ///< flits, since the packet began
        std::uint64_t left = 0;   ///< of those
    };
    struct Channel {
        std::deque<Flit> held; ///< behind a packet that has not left all its inputs
        std::vector<Copy> copies;
        std::vector<PacketId> branches; ///< of the packet that is handed in; itself if it does not part
        std::uint64_t present = 0;      ///< flits that one of them or more has not sent
    };

    void hand_in(unsigned vc);
    void begin(Channel& channel, PacketId packet);
    void give(unsigned copy, unsigned vc, Flit flit);
    void look_at_credits(unsigned copy, unsigned vc);

    ClockDomain& domain_;
    PacketPool& packets_;
    Link& link_;
    std::vector<Receiver> inputs_;
    std::vector<Channel> channels_; ///< by virtual channel
};

} // namespace nocturne
