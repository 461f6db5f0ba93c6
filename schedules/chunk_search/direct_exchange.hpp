// Every chunk straight from its owner to each receiver: what switches, and networks in which all are neighbours,
// are made for.
#pragma once

#include "schedules/chunk_search/timed_run.hpp"

namespace nocturne {

/// The transfers of a problem, each over one hop: first from every owner to the receiver next to it, then to
/// the one after that, and so on, round all processors that take part, so that each of them sends and receives
/// one chunk at a time over each of its links. Of the hops between two processors the one whose links carry
/// least so far is taken: parallel links and planes of switches get their shares. `cycles` and `released` are
/// estimates. Incomplete if a receiver is more than a hop away.
TimedOutcome direct_exchange(const TimedProblem& problem);

} // namespace nocturne
