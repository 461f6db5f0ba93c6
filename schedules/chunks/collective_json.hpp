// The member "collective" of files of chunks; see chunked_schedule_json.hpp.
#pragma once

#include "models/topology/json_place.hpp"
#include "schedules/chunks/chunked_collective.hpp"

namespace nocturne {

/// By its kind if that makes this very collective, else chunk by chunk.
nlohmann::ordered_json to_json(const ChunkedCollective& collective);

/// Throws std::runtime_error in one line, also for a kind with more than `most_results` results, before it
/// spells them out. Of chunks that are spelled out only the form is checked.
ChunkedCollective read_chunked_collective(const JsonPlace& place, std::uint32_t processors,
                                          std::uint64_t most_results);

} // namespace nocturne
