// What constructions for whole messages know, for chunks.
#pragma once

#include "schedules/collective/collective.hpp"
#include "schedules/schedule/schedule.hpp"

#include <optional>

namespace nocturne {

/// The schedule of whole messages with the fewest steps that a construction makes (constructions.hpp; but for
/// first fit, which is a search), whose messages are the chunks of the collective (step_chunks.hpp): for
/// collectives that add nothing, of equal blocks in one part each. Through the ports that are usual, or under
/// store-and-forward switching, where a step is a round of a link that carries one chunk, through all.
/// Nothing for other collectives, or if no construction applies.
std::optional<Schedule> constructed_steps(const Topology& topology, const Collective& collective,
                                          Switching switching = Switching::wormhole);

} // namespace nocturne
