// What the transfers of a schedule of chunks weigh, and such a schedule run backwards.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstdint>
#include <vector>

namespace nocturne {

/// The weight of what each transfer carries: of what its source holds when the transfer executes, whatever
/// the order of the list under dependencies. Where nothing has come: in a chunk's own place that chunk's, in
/// scratch 0. One per transfer.
std::vector<std::uint32_t> transfer_weights(const Schedule& schedule);

/// Before which time each transfer may not begin, in cycles from 0: that of the chunk whose own place, or
/// input, it reads (Chunk::release_cycles). Empty if that is 0 for all chunks.
std::vector<std::uint64_t> transfer_releases(const Schedule& schedule);

inline constexpr LinkId no_partner = ~0u;

/// For each link one the other way with the same bandwidth; parallel ones are paired in order, those of equal
/// latency first. no_partner where there is none.
std::vector<LinkId> partners_of(const LinkNetwork& network);

/// The schedule run backwards on the network with every link turned round: copies become additions where
/// copies fanned out, and it carries out reversed(collective). Each link that is used needs a partner of the
/// same bandwidth the other way; its latency may be another. Throws std::invalid_argument if there is none,
/// the schedule adds and copies, uses scratch, or waits.
Schedule reversed(const Schedule& schedule, const LinkNetwork& network);

} // namespace nocturne
