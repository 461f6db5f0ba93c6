// The member "collective" of files of chunks; see chunked_schedule_json.hpp.
#pragma once

#include "models/topology/json_place.hpp"
#include "schedules/collective/collective.hpp"

namespace nocturne {

/// By its kind if that makes this very collective, else chunk by chunk.
nlohmann::ordered_json to_json(const Collective& collective);

/// Throws std::runtime_error in one line, also for a kind with more than `most_results` results, before it
/// spells them out. Of chunks that are spelled out only the form is checked.
Collective read_collective_in_chunks(const JsonPlace& place, std::uint32_t processors,
                                     std::uint64_t most_results);

} // namespace nocturne
