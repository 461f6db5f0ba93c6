// What both forms of schedule files, text and binary, share: everything of a schedule but its steps, as JSON.
#pragma once

#include "models/topology/topology.hpp"
#include "schedules/schedule/schedule.hpp"
#include "schedules/schedule/schedule_files.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string_view>

namespace nocturne {

/// The members of the file without "steps", those of `claims` last. Throws std::invalid_argument for a
/// collective on another number of processors than the topology has.
nlohmann::ordered_json head_to_json(const Schedule& schedule, const Topology& topology,
                                    const nlohmann::ordered_json& claims, const LinkDefaults& defaults);

/// Throws std::invalid_argument for a transfer whose message or processors do not exist: no file can name
/// them.
void require_names(const Schedule& schedule, const Topology& topology);

/// The schedule of the text of a file with an empty list of steps, its network and its claims. `path` is the
/// file, to which the name of a topology file is relative, `origin` begins every error message. Throws
/// std::runtime_error as parse_schedule().
LoadedSchedule load_head(std::string_view text, const std::filesystem::path& path, std::string_view origin);

} // namespace nocturne
