// What a fault must cost, counted independently of all that recovers from it.
#pragma once

#include "sim/recovery/recovery.hpp"

#include <string>
#include <vector>

namespace nocturne {

/// The transfers that a fault must cost, found without simulation: by the model, a flit of a message that
/// goes through enters its n-th channel at a known cycle; the first step with a flit on a failed channel (in
/// a failed router) is the last one, and its messages with such flits are lost. For full-rate buffers and
/// links that are not narrow.
std::vector<LostTransfer> expected_losses(const Schedule& schedule, const Topology& topology,
                                          const RecoveryOptions& options);

/// The messages that a fault must cost without a schedule, read off run_without_fault():
/// `source>destination`, ascending. Up to the fault both runs are the same, and no processor waits for what
/// is lost, so that everything is sent: a fault for good takes what has then not yet left a failed channel,
/// or the outputs of a failed router. Of a fault that is over again it gives what holds a failed channel
/// meanwhile; the run with the fault may lose others, since in it less stands in their way. For collectives
/// with at most one message for each pair of processors, sent by its origin (not along binomial trees).
std::vector<std::string> expected_losses(const RunResult& without_fault, const Topology& topology,
                                         const RecoveryOptions& options);

} // namespace nocturne
