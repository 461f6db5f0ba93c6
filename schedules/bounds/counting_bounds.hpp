// Bounds that count: what the ports of a single processor allow, how far messages go under store-and-forward
// switching, and how fast a message can spread.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"

#include <optional>

namespace nocturne {

/// The processor that takes longest to send its own messages, each at least once, or to receive what it is
/// owed. At least 1 step: a collective has something to send.
Bound port_bound(const Problem& problem);

/// Transfers that the farthest receiver is away from the origin under store-and-forward switching, a step
/// each. Nothing under wormhole switching, which does not mind distances. The problem must pass check().
std::optional<Bound> distance_bound(const Problem& problem);

/// The message that takes longest to spread to its receivers when every processor that has it passes it on
/// through all its send ports in every step, and those informed first are the best connected ones (of those
/// within as many hops as there were steps, under store-and-forward switching). Nothing unless some message
/// has more receivers than one. For a k-port OAB it is ceil(log_{k+1} P) or more. The problem must pass
/// check().
std::optional<Bound> growth_bound(const Problem& problem);

} // namespace nocturne
