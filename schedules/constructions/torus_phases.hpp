// Scatters of all on tori and rings, all channels busy in every step.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

/// AAS on a ring of n processors in n^2/8 steps, n a multiple of 4, through two ports and over minimal paths.
/// That is optimal: no step has room for more hops.
///
/// Clockwise, the chain a -> b -> a+n/2 -> b+n/2 -> a (a, b different modulo n/2) uses each channel once.
/// Chains without common nodes form tuples of n/4, and a round robin of n/2 classes gives n/2-1 tuples that
/// hold each pair of classes once. One more tuple holds what is left: chains a -> a+n/2, a+n/2 -> a, b -> b,
/// b+n/2 -> b+n/2 for a in the first quarter of the nodes and b in the second. Its mirror images,
/// counter-clockwise, exchange the quarters: both directions together hold each ordered pair of nodes, equal
/// ones included, once. A step takes one chain of each direction.
std::optional<Schedule> ring_phases(const Problem& problem);

/// AAS on a torus of N processors in two or more dimensions, each a multiple of 4 and the longest n, in N*n/8
/// steps, through two ports and over minimal paths: 8x8 in 64, 16x16 in 512, 8x8x8 in 512. That is optimal:
/// along the longest dimension no step has room for more hops.
///
/// In two dimensions a phase takes a tuple R of chains along the rows and a tuple C along the columns,
/// and all
/// products of chain R_i and chain C_(i+k): a message from (x1, y1) goes along its row to x2, then along that
/// column to y2, for each of the four messages x1 -> x2 and y1 -> y2. Rows where they begin and columns where
/// they end are different for different i, so that each channel of these two directions is used once. A step
/// is two phases in opposite directions, in rows and in columns.
///
/// In more dimensions the messages of a product travel along a line whose place in every other dimension is a
/// node of that dimension's chain. So no channel is used twice if the chains of all dimensions but one
/// determine that of the last, whichever it is: the index of the longest dimension's chain is the sum of all
/// others and of k, modulo their number (a Latin square, for three equal sides).
///
/// Both: nothing for other collectives, one port or store-and-forward switching, and if a router has not one
/// processor or misses a channel. Messages of a processor to itself are left out. Source: Hinrichs, Kosak,
/// O'Hallaron, Stricker and Take, An architecture for optimal all-to-all personalized communication, SPAA
/// 1994, for two dimensions.
std::optional<Schedule> torus_phases(const Problem& problem);

/// What torus_phases() of the whole torus leaves of itself where channels are missing, for an engine to begin
/// with: its steps without the transfers over a missing channel. In each phase messages travel in the order
/// of dimensions, last or first one first, for which these transfers begin and end further from that channel:
/// so they can be sent around it without all leaving one row, or all arriving there. Nothing if the grid is
/// no torus, no channel is missing, or the whole one has no phases.
std::optional<Schedule> surviving_torus_phases(const Problem& problem);

} // namespace nocturne
