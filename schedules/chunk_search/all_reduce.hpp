// All-reduce as reduce-scatter and allgather: one after the other, from schedules of either.
#pragma once

#include "schedules/schedule/transfer_weights.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// The halves of a collective in which all contributions to a chunk are added for several receivers: chunk c
/// is added up at roots[c], and goes from there to its receivers.
struct AllReduceHalves {
    Collective reduce;
    Collective spread;
};

/// Throws std::invalid_argument unless every demand is for all contributions, and there is a root for each
/// chunk among its contributors.
AllReduceHalves all_reduce_halves(const Collective& collective, const std::vector<std::uint32_t>& roots);

/// A root for each chunk: contributors in turn, those first from which the farthest receiver is nearest.
std::vector<std::uint32_t> spread_roots(const LinkNetwork& network, const Collective& collective);

/// First the schedule of the one half, then that of the other: `collective` is what both carry out. Both are
/// in steps, or both under dependencies, and use the chunks' own places only. Steps, rounds and time are the
/// sums of theirs; under dependencies a chunk does not wait for others, so that it may take less time.
Schedule in_sequence(const Schedule& reduce, const Schedule& spread, const Collective& collective);

/// A reduce-scatter and then an allgather, of the same n blocks of C chunks and the same group, are an
/// all-reduce of n C chunks. Throws std::invalid_argument as in_sequence(), and if the second is none.
Schedule all_reduce_of(const Schedule& reduce_scatter, const Schedule& allgather);

/// An allgather of n blocks of C chunks in S steps and R rounds, backwards and then forwards, is an
/// all-reduce of n C chunks in 2 S steps and 2 R rounds. The allgather is of the group that all-reduces, in
/// steps. Each link needs a partner the other way. Throws std::invalid_argument if one has none, or the
/// schedule is none of an allgather.
Schedule all_reduce_from(const Schedule& allgather, const LinkNetwork& network);

} // namespace nocturne
