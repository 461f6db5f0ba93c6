// Repairs a schedule that has lost some transfers, moving as few of the others as it can.
#pragma once

#include "schedules/search/engine.hpp"

namespace nocturne {

/// A schedule of at most `steps` steps that begins with `control.start`: a schedule for the problem's network
/// and collective in which deliveries may be missing and relays may lack what they pass on, as translate()
/// leaves it. If it has more than `steps` steps those with the fewest transfers are dissolved.
///
/// Missing deliveries are placed one by one, each in the step, from the processor that has the message by
/// then, and over the path where it costs least. First all that fit in without moving anything; then an
/// ejection pool (as in Nagata and Bräysy, Operations Research Letters 37, 2009): a delivery pushes others
/// out, which wait for a place in turn, and costs more itself the more often it had to. Deliveries at their
/// old place cost a little more than others. In the end whatever can goes back to its old place, and relays
/// that are not needed any more go.
///
/// Broadcasts and scatters, any ports, switching and slack. A delivery is placed as a whole: under
/// store-and-forward switching only from a neighbour that has the message, so that detours of several hops
/// are for the engines. Effort counts the steps in which a place was looked for. Deterministic: seed and
/// effort decide. Throws std::invalid_argument for 0 steps or no start.
SearchResult repair(const Problem& problem, unsigned steps, const SearchControl& control);

/// The repaired schedule with the fewest steps that is found between `least` and `most`: ever larger strides
/// upwards from `least`, then the gap that was jumped over is halved. `waiting` deliveries have no place in
/// `control.start`; `control.effort` is that of one repair(), and grows with them where they are many.
/// Nothing if no repair succeeds. Throws as repair(), and std::logic_error for a repaired schedule that is
/// not valid.
std::optional<Schedule> repair_in_fewest_steps(const Problem& problem, unsigned least, unsigned most,
                                               std::size_t waiting, const SearchControl& control);

} // namespace nocturne
