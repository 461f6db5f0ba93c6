// Chunks over as few hops as there are from their owner to each receiver: what switches, networks in which
// all are neighbours, and boxes joined by rails are made for.
#pragma once

#include "schedules/chunk_search/timed_run.hpp"

namespace nocturne {

/// Every chunk goes straight from its owner to each receiver: first from every owner to the processor next
/// to it, then to the one after that, and so on round all that take part, so that each of them sends and
/// receives one chunk at a time over each of its links. Of the hops between two processors the one whose
/// links carry least so far is taken: parallel links and planes of switches get their shares. `cycles` and
/// `released` are estimates. Incomplete if a receiver is more than a hop away.
TimedOutcome direct_exchange(const TimedProblem& problem);

/// The same in two levels: boxes of processors that their fastest hops join, each to each, and columns of
/// one processor of each box. A chunk goes straight to those of its owner's column whose boxes have
/// receivers, and from these straight to the receivers in their boxes. Incomplete if there are no such boxes
/// of one size, or no columns in which each is one hop from each.
TimedOutcome exchange_between_boxes(const TimedProblem& problem);

} // namespace nocturne
