// Probes run on the machine until it is known what has failed.
#pragma once

#include "sim/recovery/fault_locator.hpp"
#include "sim/recovery/recovery_host.hpp"

namespace nocturne {

/// What probes are sent over. Their messages have the numbers from `first_message` on: behind those of the
/// collective.
struct ProbedNetwork {
    const Topology& topology;
    PortModel ports;
    const HardwareConfig& hardware;
    MessageId first_message;
};

/// Sends what the locator wants to know and tells it what became of it, until it has no more questions.
/// Returns how many probes were sent. Throws std::runtime_error if a probe is late but comes.
std::uint32_t send_all_probes(RecoveryHost& host, const ProbedNetwork& network, FaultLocator& locator);

} // namespace nocturne
