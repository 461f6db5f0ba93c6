// Schedules in files. The end of a file's name says which form it has: `.nsched` the binary one
// (binary_schedule.hpp), any other the text (schedule_json.hpp).
#pragma once

#include "models/topology/link_network.hpp"
#include "models/topology/topology.hpp"
#include "schedules/schedule/schedule.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string_view>

namespace nocturne {

/// A schedule out of a file.
struct LoadedSchedule {
    Schedule schedule;
    Topology topology; ///< the one that the file names
    /// Members that do not change what the schedule is, as they stand in the file: "lower_bound",
    /// "lower_bounds", "made_by".
    nlohmann::ordered_json claims = nlohmann::ordered_json::object();
    LinkDefaults defaults = {};
    bool is_bound = false; ///< it has no schedule: `schedule` says what the bound is of

    LinkNetwork network() const { return link_network_of(topology, defaults); }
};

/// Does the file's name end in `.nsched`?
bool is_binary_schedule(const std::filesystem::path& path);

/// Throws std::runtime_error, one line that begins with the file, if it or its topology cannot be read or
/// holds no schedule.
LoadedSchedule load_schedule(const std::filesystem::path& path);
/// The same, or a bound without a schedule.
LoadedSchedule load_schedule_or_bound(const std::filesystem::path& path);

/// The same for a `text` (JSON) that stands for what is in the file.
LoadedSchedule parse_schedule_file(std::string_view text, const std::filesystem::path& path);

/// Writes the whole file or nothing, with the members of the object `claims`. Throws std::runtime_error if it
/// cannot, std::invalid_argument for a transfer whose message or processors do not exist.
/// Only JSON takes schedules from memory to memory: std::invalid_argument otherwise.
void save_schedule(const std::filesystem::path& path, const Schedule& schedule, const Topology& topology,
                   const nlohmann::ordered_json& claims = nlohmann::ordered_json::object(),
                   const LinkDefaults& defaults = {});

} // namespace nocturne
