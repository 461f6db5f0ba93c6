// Problems of chunks of all kinds, and changes to their schedules, drawn.
#pragma once

#include "models/routing/random.hpp"
#include "models/topology/topology.hpp"
#include "schedules/schedule/transfer_weights.hpp"

namespace nocturne::test {

/// Strongly connected, of 2 to 5 processors: direct links, one-way rings, or switches between them, some of
/// which copy if `copies`; widths of 4, 8 or 16 bytes, any latencies, the two directions of a link apart.
Topology random_chunk_network(SplitMix64& random, bool copies);

/// Any kind with any group in any order, root and weights; two at once; sums of some contributions for some
/// receivers. In `parts` parts where it has any.
Collective random_chunk_collective(SplitMix64 random, std::uint32_t processors, std::uint32_t parts);

/// The same transfers under steps, each in the step behind those that it waits for; valid if `schedule` is.
Schedule put_in_steps(const Schedule& schedule, const LinkNetwork& network);

/// The same with places renamed, node by node: what lies in a chunk's own place may lie in scratch instead,
/// or in another chunk's place, as long as nothing else is there. Valid if and only if `schedule` is.
Schedule with_places_renamed(const Schedule& schedule, SplitMix64& random);

/// A list in another order, in which each link carries its transfers as before; under dependencies.
Schedule listed_otherwise(const Schedule& schedule, SplitMix64& random);

/// One change: a transfer dropped, doubled, moved in the list, sent elsewhere, over other links, from or to
/// another place, as the other operation or in another step; a dependency dropped, added or exchanged; other
/// rounds, weights or placements. It may be harmless.
void mutate(Schedule& schedule, const LinkNetwork& network, SplitMix64& random);

} // namespace nocturne::test
