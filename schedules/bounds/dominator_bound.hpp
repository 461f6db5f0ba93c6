// How fast a message can get into, and spread in, the parts of a network that have one way in.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"

#include <optional>

namespace nocturne {

/// A bound for broadcasts of one message. Every way from the origin into the routers that a router dominates
/// (Lengauer and Tarjan, TOPLAS 1979: all paths to them lead through it) enters at that router, through the c
/// channels into it from outside. So if these routers need n informed processors with t steps to go, they
/// need the least a such that
///     a + send ports of the best a of them + c >= n
/// with t + 1 steps to go, and at least what the parts within them need together. No schedule has so few
/// steps that some part would need processors that are informed when it begins. Trees are where that beats
/// growth_bound(): in a full binary tree of 63 processors it is 5.
///
/// Nothing for other collectives, or if some processor sends from where the message cannot come through. The
/// problem must pass check().
std::optional<Bound> dominator_bound(const Problem& problem);

} // namespace nocturne
