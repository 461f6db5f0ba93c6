// Scatters from one processor and gathers to one: maximum flows, exact.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

/// The least number of steps in which channels and the root's ports let all messages of a scatter from one
/// processor (OAS, MNS with one sender), or a gather to one (AOG, AOR, MNS with one receiver), through: the
/// least S for which a flow brings one unit to each receiver if every channel takes S, the source sends S
/// times its ports, and a processor that injects at another router than it is ejected to passes on S times
/// its ports (under a slack it does not). No schedule has fewer, for any switching: what has to pass the
/// minimal cut takes S steps. Nothing for other collectives.
std::optional<unsigned> fewest_scatter_steps(const Problem& problem);

/// Such a scatter or gather, in the fewest steps in which that can be done without relays, which is
/// fewest_scatter_steps() wherever processors inject at the router that they are ejected to; over paths as
/// short as possible in all. With a slack, if some of these are too long: over minimal paths only, in the
/// fewest steps in which that can be done. Nothing for other collectives, if some message has no way without
/// a relay, or if paths are too long for the switching.
///
/// The sets of receivers that one step can serve are the independent sets of a gammoid, so that S of them
/// cover all receivers if the flow above exists (matroid partition); and S steps fall into two parts of S/2
/// steps in the same way. So a flow through two copies of the network, one for either part, says which
/// receivers each serves, down to single steps, where each channel takes one message and the flow is the
/// paths. The channels of minimal paths are a network like any other. Sources: Edmonds, Minimum partition of
/// a matroid into independent subsets, 1965; Perfect, Applications of Menger's graph theorem, 1968
/// (gammoids).
std::optional<Schedule> one_to_all_scatter(const Problem& problem);

} // namespace nocturne
