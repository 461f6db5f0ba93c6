// Scatters and broadcasts of all, one permutation at a time.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

/// AAS or AAB in N-1 rounds: in round k everybody sends straight to the processor whose index is its own with
/// k exclusive-or (N a power of two), or else plus k modulo N. The routing is the network's own: the control
/// tag of a multistage network (free columns by digits of the source), dimension order on a grid, otherwise a
/// first minimal path. All rounds must be free of conflicts: the exclusive-or ones are on Omega, Butterfly
/// and Benes networks and hypercubes, cyclic shifts on Omega, Clos networks, stars and complete graphs. With
/// one port that is optimal: N-1 steps.
///
/// With more ports for an AAS, rounds that share no channel become one step, longest paths first, each into
/// the first step with room. On a hypercube e-cube paths of k use each channel of the dimensions in which k
/// has a 1 once, so that exactly complementary rounds meet: N/2 steps through two ports, which is optimal for
/// all. On a complete graph it is one step.
///
/// Nothing for other collectives, if rounds of both kinds conflict, if paths are too long for the problem's
/// slack or switching, or if enumerating first minimal paths would take more than about a second. Sources:
/// Lawrie, Access and alignment of data in an array processor, IEEE Transactions on Computers C-24(12), 1975;
/// Ho and Johnsson, Distributed routing algorithms for broadcasting and personalized communication in
/// hypercubes, ICPP 1986.
std::optional<Schedule> permutation_rounds(const Problem& problem);

} // namespace nocturne
