// Broadcasts of all on any network of bidirectional links: round a spanning tree.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

/// AAB in N-1 steps with one port, or MNB among n processors (senders and receivers together) in at most n-1.
/// A walk round a tree that spans them visits all and uses each direction of each link of the tree once: cut
/// at the first visits, it is a ring of channel-disjoint paths, round which everybody passes on what arrived.
/// As no processor can receive more than one message a step this is optimal for one-port AAB, and for
/// all-port where some processor has one channel only.
///
/// Nothing for other collectives, if a participant injects and is ejected at different routers, if
/// bidirectional links do not join the participants, or if a path is too long for the problem's slack or
/// switching, or would relay where the slack forbids it. Source: the Euler tour technique (Tarjan and
/// Vishkin, An efficient parallel biconnectivity algorithm, SIAM Journal on Computing 14(4), 1985).
std::optional<Schedule> euler_tour_ring(const Problem& problem);

} // namespace nocturne
