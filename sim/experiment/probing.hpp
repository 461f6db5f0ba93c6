// Probes over suspected channels, run on the machine until it is known what has failed.
#pragma once

#include "sim/experiment/recovery_host.hpp"

#include <vector>

namespace nocturne {

/// What probes are sent over. Their messages have the numbers from `first_message` on, one for each channel: behind those of the
/// collective.
struct ProbedNetwork {
    const Topology& topology;
    PortModel ports;
    const HardwareConfig& hardware;
    MessageId first_message;
};

struct ProbingResult {
    std::vector<ChannelId> failed; ///< ascending
    std::uint32_t probes = 0;      ///< that were sent
};

/// A probe over each suspect, then over the channels around those that failed, and so on until no more fail. A channel without
/// a way for a probe counts as failed, since it cannot be told from what is around it. Throws std::runtime_error if a probe is
/// late but comes.
ProbingResult probe_suspects(RecoveryHost& host, const ProbedNetwork& network,
                             std::vector<ChannelId> suspects);

} // namespace nocturne
