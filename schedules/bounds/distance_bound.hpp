// How far a message has to go, hop by hop.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"

#include <optional>

namespace nocturne {

/// Transfers that the farthest receiver is away from the origin under store-and-forward switching, a step
/// each. Nothing under wormhole switching, which does not mind distances. The problem must pass check().
std::optional<Bound> distance_bound(const Problem& problem);

} // namespace nocturne
