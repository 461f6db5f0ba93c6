// Anything on networks that can route any permutation.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

/// Every collective, sent straight from origins to receivers, in as many steps as the most that one processor
/// sends or receives in all, on a rearrangeable network: AAS and AAB on Clos (at least as many middle
/// switches as processors on a switch), Benes, fat trees and stars take N-1 steps, a permutation one. That is
/// optimal with one port for everything but one-to-all and many-to-many broadcasts.
///
/// Edge colouring twice (König): origins and receivers joined by what they exchange, a colour is a step, in
/// which nobody sends or receives two messages. Then, in each step, the outermost switches joined by their
/// messages: a colour is one of the parts into which the network falls without them, each joined to every
/// outermost switch. No switch has two messages for one part, and each part has a smaller problem of the same
/// form, down to single switches. Messages between processors of one switch turn round there, so that the
/// paths of fat trees are minimal. All of this is read off the channels: faults that leave enough whole parts
/// do no harm.
///
/// Nothing if the network does not fall apart in this way, or if a path is too long for the switching.
/// Sources: Slepian, Two theorems on a particular crossbar switching network, 1952; Benes, Mathematical
/// Theory of Connecting Networks and Telephone Traffic, Academic Press 1965; Petrini and Vanneschi, k-ary
/// n-trees, IPPS 1997.
std::optional<Schedule> rearrangeable_network(const Problem& problem);

} // namespace nocturne
