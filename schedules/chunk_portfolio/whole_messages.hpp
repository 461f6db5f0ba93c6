// What constructions for whole messages know, for chunks.
#pragma once

#include "schedules/chunks/chunked_collective.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

/// The schedule of whole messages with the fewest steps that a construction makes (constructions.hpp; but for
/// first fit, which is a search), whose messages are the chunks of the collective (step_chunks.hpp): for
/// broadcast, scatter, gather, allgather and all-to-all of all processors in one part each. Nothing for other
/// collectives, or if no construction applies.
std::optional<Schedule> constructed_steps(const Topology& topology, const ChunkedCollective& collective);

} // namespace nocturne
