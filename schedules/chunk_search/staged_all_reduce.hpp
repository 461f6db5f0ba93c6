// All-reduce of small messages: one dimension of a grid of processors after the other.
#pragma once

#include "schedules/chunk_search/timed_run.hpp"

#include <vector>

namespace nocturne {

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

} // namespace nocturne
