// Schedules that TE-CCL prints (github.com/microsoft/TE-CCL: "6-Demand_Met", "7-Flows", "8-Chunk paths").
#pragma once

#include "schedules/formats/foreign_schedule.hpp"

#include <string>
#include <string_view>

namespace nocturne {

/// Does the text look like it: has it the member "1-Epoch_Duration"?
bool is_teccl_json(std::string_view text);

/// Reads what is sent over `network`. A transfer waits for the one that brings its chunk; those over a link
/// follow each other as their epochs do; the epochs' times are left out. A file with demands is an allgather,
/// and its flows are read. One without is an all-to-all, in parts of blocks with a volume, and its chunk
/// paths are read, "7-chunk paths" or "8-Chunk paths": a part with its path is a chunk of a collective of the
/// kind `custom`, as heavy as its volume has millionths. (The flows name a hop once that several parts take
/// at the same time with the same volume, so that most of the data is missing there.) If the file has fewer
/// GPUs than the network processors, they are a group. What a switch copies, as the network says, enters it
/// once an epoch. Nodes have the numbers of the network if there are no more of them than processors;
/// otherwise the GPUs in ascending order are its processors, and what is crossed its switches.
///
/// Violations beside the validator's: volumes of a demand that are not a whole chunk, but for what rounding
/// to six digits explains. Throws std::runtime_error, one line that begins with `origin` and has the place,
/// for other collectives, volumes in an allgather, and texts that are none of a schedule.
ForeignSchedule read_teccl_json(std::string_view text, std::string_view origin, const LinkNetwork& network);

} // namespace nocturne
