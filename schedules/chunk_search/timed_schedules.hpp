// Schedules by time that are made without a search; see timed_search.cpp.
#pragma once

#include "schedules/chunk_search/processor_grid.hpp"
#include "schedules/chunk_search/timed_run.hpp"
#include "schedules/schedule/chunk_time.hpp"
#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace nocturne {

// Chunks over as few hops as there are from their owner to each receiver: what switches, networks in which
// all are neighbours, and boxes joined by rails are made for.

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

// All-reduce of small messages: one dimension of a grid of processors after the other.

/// All-reduces in stages, over the grids that the network allows (processor_grid.hpp). The first dimensions
/// are *split*: each member of a line adds up its share of the chunks, and at the end gives it to the others
/// of its line, the last of these dimensions first. In the others each member sends all that it has added up
/// to all others of its line, which is one start-up instead of two, and the more bytes the longer the line.
/// A line of which each is one hop from each is taken whole, and in two and in prime factors: recursive
/// halving and doubling are lines of two. Where the quickest way is over others of the line, these pass on
/// what a member sends, and add up sums on their way.
///
/// `problem` is that of a copying collective on the same network with the members of `collective`. One
/// schedule, under dependencies, for each number of split dimensions, and where all dimensions have one size
/// another, of which each chunk begins with a dimension of its own. None unless every chunk of the collective
/// has the same contributors and receivers, those who take part. Without those of more than 2^16 transfers,
/// or 2^18 of few chunks.
std::vector<Schedule> staged_all_reduces(const TimedProblem& problem, const Collective& collective);

// A scan from member to member.

/// The members of a scan in the order in which their contributions are added; empty for other collectives.
std::vector<std::uint32_t> scan_order(const Collective& collective);

/// Each member adds its contribution to the sum of those before it, and sends it on to the next: over the way
/// that is shortest by the time of a chunk, with what members before take of its links. Parts follow each
/// other as in a pipeline, so that with many of them the time comes near the load of the fullest link.
/// Nothing for other collectives, or if some member cannot be reached from the one before.
std::optional<Schedule> scan_over_chain(const LinkNetwork& network, const Collective& collective,
                                        const AlphaBeta& cost);

// Collectives that add, carried out by copying: each contribution travels on its own, receivers add.

/// A chunk for each contribution to each chunk that somebody else is owed: nothing is added on the way.
Collective separate_contributions(const Collective& collective);

/// `schedule` carries out separate_contributions(collective) under dependencies, with each chunk in its own
/// place; the result carries out the collective: contributions of others travel through scratch, and a
/// receiver adds them up by local transfers when all that it was to send on is sent. The same time.
Schedule with_local_sums(const Schedule& schedule, const Collective& collective);

} // namespace nocturne
