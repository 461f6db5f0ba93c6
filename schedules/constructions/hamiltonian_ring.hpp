// Broadcasts of all on networks with a Hamiltonian cycle.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>
#include <vector>

namespace nocturne {

/// AAB in ceil((N-1)/2) steps through two ports, N-1 through one: the routers of the processors lie on a
/// cycle, and everybody passes on what arrived in the last step, in both directions at once if all its links
/// are bidirectional. Every transfer is one hop at most, so that switching and slack do not limit paths. MNB
/// likewise among senders and receivers. As no processor can receive more than its ports, or channels, allow,
/// this is optimal where some processor has two of them: in the corner of a mesh.
///
/// Nothing for other collectives, if a participant injects and is ejected at different routers, or if
/// find_hamiltonian_cycle() finds no cycle through exactly their routers, or if it would relay where a slack
/// forbids it. Source: Saad and Schultz, Data communication in parallel architectures, Parallel Computing
/// 11(2), 1989 (rings).
std::optional<Schedule> hamiltonian_ring(const Problem& problem);

/// A cycle of channels through each of `routers` (three or more) once and through no other router. On a grid
/// of at least two dimensions, of which one has an even extent: back and forth through all but the first of
/// its rows, back along those first routers. Otherwise a backtracking search, to the neighbour with the
/// fewest ways on first (Warnsdorff's rule), which gives up after about a tenth of a second: nothing does not
/// prove that there is none.
std::optional<std::vector<RouterId>> find_hamiltonian_cycle(const Topology& topology,
                                                            const std::vector<RouterId>& routers);

} // namespace nocturne
