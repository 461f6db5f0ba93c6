// How fast a message can spread at best.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"

#include <optional>

namespace nocturne {

/// The message that takes longest to spread to its receivers when every processor that has it passes it on
/// through all its send ports in every step, and those informed first are the best connected ones (of those
/// within as many hops as there were steps, under store-and-forward switching). Nothing unless some message
/// has more receivers than one. For a k-port OAB it is ceil(log_{k+1} P) or more. The problem must pass
/// check().
std::optional<Bound> growth_bound(const Problem& problem);

} // namespace nocturne
