// What must enter a set of routers: the bound of broadcasts.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"

#include <optional>

namespace nocturne {

/// The set of routers that the messages for it take longest to enter through its channels, each at least once
/// (see VertexSet). The best set around a receiver is a side of a minimum cut between the origins of its
/// messages and itself: all receivers are tried, in a large network the worst connected ones. What leaves a
/// set enters the rest. Or the set without an origin that is slowest to begin, if it takes longer to receive
/// what it is owed (see receptions_of_set()). Nothing if every message has one receiver: the flow bound of
/// such is at least as good.
///
/// The problem must pass check().
std::optional<Bound> vertex_set_bound(const Problem& problem);

} // namespace nocturne
