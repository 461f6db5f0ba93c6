// What constructions for whole messages know, for chunks.
#pragma once

#include "schedules/chunks/chunked_schedule.hpp"

#include <optional>

namespace nocturne {

/// The schedule of whole messages with the fewest steps that a construction makes (constructions.hpp; but for
/// first fit, which is a search), as one of chunks under dependencies (step_chunks.hpp). For broadcast,
/// scatter, gather, allgather and all-to-all of all processors in one part each. Nothing for other
/// collectives, or if no construction applies. `network` is link_network_of(topology).
std::optional<ChunkedSchedule> constructed_schedule(const Topology& topology, const LinkNetwork& network,
                                                    const ChunkedCollective& collective);

} // namespace nocturne
