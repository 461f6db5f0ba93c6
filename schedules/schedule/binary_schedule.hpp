// Schedules as compact bytes, for millions of transfers: a twentieth of their JSON, written and read piece by
// piece. A varint is a number in groups of seven bits, the lowest first, the eighth bit of each byte but the
// last being set (LEB128), in as few bytes as it takes.
//
//     8 bytes   89 4E 53 43 48 45 44 0A: "NSCHED" between a byte that no text begins with and a line feed
//     varint    version of the layout: 1, or 2 if some transfer adds
//     varint    bytes of the head
//     head      every member of the JSON form but "steps", as one JSON object in UTF-8 (schedule_json.hpp)
//     varint    steps
//       varint    transfers of the step; each is
//         varint    index of the source processor
//         varint    index of the destination processor
//         varint    form: 4 x (hops of the path) + 2 if there is a path + 1 if the message is named; in
//                   version 2 8 x (hops) + 4 if it adds + 2 + 1
//         varint    index of the message in the collective, if it is named: where the source's message for
//                   the destination is another, or none
//         varints   for each hop 1 + the position of its channel among those out of the router where the path
//                   stands (first the source's injection router), which then stands where that channel leads;
//                   for a channel that does not begin there 0 and its index, and the path stands where that
//                   leads, if it exists
//     4 bytes   CRC-32 (that of zlib) of all bytes before, the lowest byte first
//
// There is one such file for a head and its steps: a file in which something is written otherwise is refused.
#pragma once

#include "models/topology/files.hpp"
#include "schedules/schedule/schedule_files.hpp"

#include <functional>

namespace nocturne {

/// Hands the bytes of the file over piece by piece. Throws std::invalid_argument as save_schedule().
void write_binary_schedule(const Schedule& schedule, const Topology& topology,
                           const nlohmann::ordered_json& claims, const ByteSink& sink);

/// Fills a piece with the next bytes of a file; returns how many, 0 at its end only.
using ByteSource = std::function<std::size_t(std::span<char>)>;

/// Its inverse. `path` is the file, to which the name of a topology file is relative, and begins every error
/// message. Throws std::runtime_error, one line, for bytes that are no such file, whole and unchanged.
/// Whether the schedule is valid is for the validator.
LoadedSchedule read_binary_schedule(const ByteSource& source, const std::filesystem::path& path);

} // namespace nocturne
