// Who waits for whom in a network that makes no progress.
#pragma once

#include "models/hardware/network.hpp"

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

} // namespace nocturne
