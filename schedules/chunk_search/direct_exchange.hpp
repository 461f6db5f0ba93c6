// Chunks over as few hops as there are from their owner to each receiver: what switches, networks in which
// all are neighbours, and boxes joined by rails are made for.
#pragma once

#include "schedules/chunk_search/processor_grid.hpp"

#include <vector>

namespace nocturne {

/// Complete outcomes without a search; none where the network allows none.
/// - If all are one hop from each other: every chunk goes straight from its owner to each receiver, first to
///   the processor next to it, then to the one after that, and so on round all that take part, so that each
///   sends and receives one chunk at a time over each of its links.
/// - On a grid of boxes and columns (grids_of_boxes()): a chunk goes straight to those of its owner's column
///   whose boxes have receivers, and from these straight to the receivers in their boxes.
/// Of the hops between two processors the one over which the chunk arrives first is taken: parallel links and
/// planes of switches get their shares. `cycles` and `released` are estimates.
std::vector<TimedOutcome> direct_exchanges(const TimedProblem& problem);

/// That over one grid: a line, or boxes and columns. Incomplete if a hop is missing.
TimedOutcome direct_exchange(const ProcessorGrid& grid, const TimedProblem& problem);

} // namespace nocturne
