// The flit-level network once more, as plainly as its rules can be written: every part looked at in every
// cycle.
#pragma once

#include "models/hardware/network_plan.hpp"
#include "tests/models/hardware/messenger.hpp"

#include <vector>

namespace nocturne::test {

/// A message and its way.
struct SentMessage {
    Message message;
    Route route;
    std::uint32_t together =
        1; ///< of the first of a multicast: messages that it is, this one and those behind
};

/// Flits in a buffer, looked at in every cycle before any of them leaves.
struct ReferenceBuffer {
    std::uint64_t sum = 0; ///< over all cycles
    std::uint64_t most = 0;

    friend bool operator==(const ReferenceBuffer&, const ReferenceBuffer&) = default;
};

struct ReferenceRun {
    std::vector<Cycle> arrivals;          ///< when each message has come whole, by its number
    std::vector<ReferenceBuffer> buffers; ///< by link and virtual channel, if all routers have one clock
};

/// Until the last message has come. Multicasts are trees where routers copy packets, and are not reserved. No
/// faults, no adaptive routers, no gates; messages in the order in which they enter the source queues.
/// Routers with clocks of their own have their edges where these fall, in whole units of time. Nothing of
/// what makes the real one fast is used: no events, no buffers shared by both ends of a link, no sets.
ReferenceRun reference_run(const Topology& topology, const HardwareConfig& config, PortModel ports,
                           const Routing& routing, const std::vector<SentMessage>& messages);

} // namespace nocturne::test
