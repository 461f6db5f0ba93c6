// What inputs of a router wait for: what a deadlock is made of.
#pragma once

#include "models/hardware/flit.hpp"
#include "models/hardware/router_config.hpp"

#include <cstdint>

namespace nocturne {

/// An input virtual channel whose first flit cannot move on, and the output virtual channels any of which
/// would free it.
struct WaitingInput {
    unsigned input;
    unsigned vc;
    PacketId packet;
    std::uint32_t sequence; ///< of the flit
    Cycle injected;         ///< of the packet: numbers of packets are used again
    OutputGroup wanted;
    /// `wanted` is its own and lacks a credit; otherwise it waits for one of `wanted` to be released.
    bool holds_output;
};

struct InputChannel {
    unsigned input;
    unsigned vc;
};

/// An input virtual channel whose packet has an output, and whose next flit has not come.
struct StarvingInput {
    InputChannel at;
    Flit last; ///< that has left
};

} // namespace nocturne
