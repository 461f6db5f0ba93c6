// Scatters of all on meshes, the channels across the middle busy in every step.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

/// AAS on a mesh of N processors with even sides, the longest n at least 4, through one port and over minimal
/// paths: in N*n/4 steps, if n is a multiple of 4 or all other sides are shorter: 16x16 in 1024, 32x32 in
/// 8192, 8x16 in 512. That is optimal: half of the messages have to cross the middle of the longest side.
/// Other squares take N*(n+1)/4 steps.
///
/// For a line of n = 2h nodes the n^2 moves from node to node, those that stay included, are coloured with n
/// colours: that of a -> b is
///     f(a) - f(b) + h*max(f(a), f(b)) + (h if a and b are in different halves), modulo n,
/// where f(a) = min(a, n-1-a) folds the line. A colour holds one move from each node and one to each: it is a
/// symbol of a Latin square. It crosses the middle w times each way, w = h/2, or w = (h-1)/2 or (h+1)/2 if h
/// is odd, and no other channel more often: of the h-w moves of a colour within a half at most e have
/// max(f(a), f(b)) >= h-e, as those for which it is equal have different colours. So of the first k nodes of
/// the half at least k-w send to one another, and no more than w out. Moves one way are then w patterns of
/// moves without common channels (intervals are a perfect graph). For one colour of each dimension all
/// products of patterns take as many steps as the colour with the most patterns has.
///
/// Nothing for other collectives or store-and-forward switching, for odd sides, and if a router has not one
/// processor or misses a channel. Messages of a processor to itself are left out. That a^3/4 phases are
/// optimal for a x a meshes, a a multiple of 4, is from Scott, Efficient all-to-all communication patterns in
/// hypercube and mesh topologies, DMCC 1991.
std::optional<Schedule> mesh_phases(const Problem& problem);

} // namespace nocturne
