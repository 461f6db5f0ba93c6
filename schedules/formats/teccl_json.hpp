// Schedules that TE-CCL prints (github.com/microsoft/TE-CCL, members "6-Demand_Met" and "7-Flows").
#pragma once

#include "schedules/formats/foreign_schedule.hpp"

#include <string>
#include <string_view>

namespace nocturne {

/// Does the text look like it: has it the member "1-Epoch_Duration"?
bool is_teccl_json(std::string_view text);

/// Reads the flows of whole chunks for `network`. A transfer waits for the one that brings its chunk; those
/// over a link follow each other as their epochs do; the epochs' times are left out. What the schedule
/// carries out is what the file's own demands say: if it has fewer GPUs than the network processors, an
/// allgather of a group. Nodes have the numbers of the network if there are no more of them than processors;
/// otherwise the GPUs in ascending order are its processors, and what is crossed its switches.
///
/// Throws std::runtime_error, one line that begins with `origin` and has the place, for what has no demands
/// (TE-CCL's all-to-alls), volumes of parts of chunks, and texts of flows that are none.
ForeignSchedule read_teccl_json(std::string_view text, std::string_view origin, const LinkNetwork& network);

} // namespace nocturne
