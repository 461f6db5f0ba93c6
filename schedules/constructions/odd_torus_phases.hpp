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
/// Opposite nodes of a ring are a class. The moves along the ring are
/// - chains, one for each pair of classes and each direction: four moves once around the ring, through all
///   four nodes. They hold all moves of 1 to h-1 hops.
/// - for each class the two moves to the opposite node, once around the ring together, in the direction that
///   is asked for: the crossing, X.
/// - for each class the two moves that stay: the rest, "."
/// Seen from a class c, the chains x_i of classes c+i and c-i, i = 1 to q = (h-1)/2, and its own crossing and
/// rest touch every class once. So over all c every chain, crossing and rest is there once. A product of
/// them, one for each dimension, keeps whole rings busy: along a dimension whose pattern is not a rest, those
/// through the classes of its patterns in the other dimensions. The schedule is the same for each choice of
/// one class in each dimension:
///
/// Two dimensions, h steps. (1) q+1 steps hold products of q+1 chains and crossings, once in directions ++
/// and once in --, by a Latin square of order q+1. XX would come twice; X. and .X take the place of one. (2)
/// q steps hold products of q chains in +- and -+, by a Latin square of order q, and x. and .x on the rings
/// of the two classes in the centre.
///
/// Three dimensions, 2h steps. (1) q+1 steps hold products of q+1 chains and crossings in +++ and ---, by a
/// Latin square of order q+1. XXX is needed once; X.., .X. and ..X take the place of the other.
/// (2) q+1 steps hold the same in +-- and -++, but Xyz with y and z in unlike directions. So (1) and (2) hold
/// each xyX, xXz and Xyz once. What has two crossings has been in (1): in its place are x.., .x., ..x and
/// some xx., x.x, .xx of chains i and i, in the place of XXX are XX., X.X, .XX.
/// (3) 2q steps hold the remaining xyz, by a Latin square of order q, and on the rings of classes in the
/// centre the remaining xx. by a Latin square of order 2q, rows and columns being chains in both directions.
/// Where its diagonal would be, they hold xX. and Xx. instead; with x.x and .xx in the same way.
///
/// Nothing for other collectives, fewer ports or store-and-forward switching, and if a router has not one
/// processor or misses a channel. Messages of a processor to itself are left out.
std::optional<Schedule> odd_torus_phases(const Problem& problem);

} // namespace nocturne
