// Scatters of all on tori whose sides are twice an odd number, all channels busy in every step.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

/// AAS on a torus of two or three dimensions with N processors and all sides n = 2h, h odd and at least 3, in
/// N*n/8 steps, through one port more than there are dimensions and over minimal paths: 6x6 in 27, 10x10 in
/// 125, 6x6x6 in 162, 10x10x10 in 1250. That is optimal, as no step has room for more hops. (torus_phases()
/// needs an even h.)
///
/// Opposite nodes of a ring are a class. The moves of the ring are put together to
/// - chains, one for each pair of classes and each direction, of four moves once around the ring: all moves
///   of 1 to h-1 hops;
/// - for each class the two moves to the opposite node, which are one pattern once around the ring, in the
///   direction that is asked for: the *crossing*;
/// - for each class the two moves that stay, a pattern without channels: the *rest*.
/// The classes around class c, c+i and c-i for i = 1 to q = (h-1)/2, give q chains a direction. These and the
/// crossing or the rest of c touch every class once. A product of patterns, one for each dimension, keeps
/// whole rings busy: in two dimensions, along the first one in rows of the classes of the second pattern,
/// if the first is not a rest. In every step, for every choice of one class in each dimension, each direction
/// of each dimension has to be busy on one ring of every combination of such patterns. The work is exactly
/// that much, and so the schedule is a tiling, the same for each choice of c, e (and f):
///
/// Two dimensions, 2q+1 = h steps: (1) q+1 steps hold the products of q+1 patterns each, crossings included,
/// with equal directions, by a Latin square of order q+1. Of the two products of crossings there is one too
/// many, and crossing times rest and rest times crossing take its place. (2) q steps hold the products of q
/// chains each, with unlike directions, by a Latin square of order q. The rings of c and e that are left over
/// get chain times rest and rest times chain.
///
/// Three dimensions, 4q+2 = 2h steps; x, y, z are chains, X the crossing, . the rest:
/// (1) q+1 steps with all products of q+1 patterns in directions +++ and ---, by a Latin square of order
/// q+1; of the products XXX one is kept, and X.., .X., ..X take the place of the other.
/// (2) The same in +-- and -++, but with y and z of unlike directions where x is a crossing, so that (1) and
/// (2) hold each xyX, xXz, Xyz once; of the products with two crossings there are enough in (1). In their
/// place are the xy., x.z, .yz of chains i and i for which (3) has no room, and all x.., .y., ..z. In the
/// place of XXX are XX., X.X, .XX.
/// (3) 2q steps with the remaining xyz, by a Latin square of order q, and with the other xy. in a Latin square
/// of order 2q, whose diagonal leaves a pair of rings free in each step, for an xX. and an Xy.; in the same
/// way x.z and .yz.
///
/// Nothing for other collectives, fewer ports or store-and-forward switching, and if a router has not one
/// processor or misses a channel. Messages of a processor to itself are left out.
std::optional<Schedule> odd_torus_phases(const Problem& problem);

} // namespace nocturne
