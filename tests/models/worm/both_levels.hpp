// The same messages at the flit level and at the message level.
#pragma once

#include "models/network/fault_plan.hpp"
#include "tests/models/hardware/messenger.hpp"

#include <cstdint>
#include <vector>

namespace nocturne::test {

struct SentMessage {
    Message message;
    Route route;
};

struct PlannedFault {
    Faults faults;
    DownTime down;
};

struct Setting {
    Topology topology;
    HardwareConfig config;
    PortModel ports;
    unsigned vc_classes = 1;
    std::vector<SentMessage> sent;
    std::vector<PlannedFault> faults = {};
};

/// What became of the messages.
struct Fate {
    std::vector<std::uint64_t> sent;     ///< by number: when the last flit left the source
    std::vector<std::uint64_t> arrivals; ///< by number; 0: lost
    std::uint64_t flits_lost = 0;
    std::uint64_t head_wait_cycles = 0; ///< at the message level
};

Fate at_flit_level(const Setting& setting);

/// Whatever happens, every message leaves its source, and is lost or arrives, and nothing hangs.
Fate at_message_level(const Setting& setting);

/// Four messages between random processors over shortest paths, far enough apart that the credits of each are
/// back.
std::vector<SentMessage> lonely_messages(const Topology& topology, SplitMix64& random);

} // namespace nocturne::test
