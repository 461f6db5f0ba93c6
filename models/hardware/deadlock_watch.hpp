// Who waits for whom in a network that makes no progress.
#pragma once

#include "models/hardware/network.hpp"

#include <map>
#include <utility>
#include <vector>

namespace nocturne {

/// One edge of a waiting cycle: the packet at the head of virtual channel `vc` of `link` wants `wanted_vc` of
/// `wanted_link`, which is occupied.
struct WaitEdge {
    std::uint32_t link;
    unsigned vc;
    PacketId packet;
    std::uint32_t wanted_link;
    unsigned wanted_vc;
};

/// A circular wait among the virtual channels of the network as it stands, each edge waiting for the link of
/// the next; empty if there is none. In a network that is quiet with packets in it there is one unless flits
/// were lost.
std::vector<WaitEdge> find_waiting_cycle(const Network& network);

/// A flit at the head of a virtual channel.
struct BlockedFlit {
    PacketId packet;
    std::uint32_t sequence;
    Cycle injected; ///< tells packets of the same number apart

    friend bool operator==(const BlockedFlit&, const BlockedFlit&) = default;
};

/// Finds a deadlock while other messages still move. A virtual channel is stuck if all that could set the
/// flit at its head free is stuck itself: the buffer in which it has no room, or for each virtual channel
/// that it would take the packet that holds it. Credits on their way may still free it; so only those count
/// that have not moved for longer than any credit takes. What is found is a deadlock; every deadlock is
/// found, in time, but for one in which adaptive packets wait for room behind virtual channels that are free.
class DeadlockWatch {
public:
    /// The network must outlive it.
    explicit DeadlockWatch(const Network& network);

    /// Looks at the network as it stands, between two cycles; to be called again and again. The circular
    /// wait, once there is a deadlock.
    std::vector<WaitEdge> look(Cycle now);

private:
    using VirtualChannel = std::pair<std::uint32_t, unsigned>; ///< link and virtual channel
    struct Stuck {
        BlockedFlit head;
        Cycle since;
    };

    const Network& network_;
    Cycle settling_cycles_ = 0; ///< what any credit, and any step of a router, takes at most
    std::map<VirtualChannel, Stuck> stuck_;
};

} // namespace nocturne
