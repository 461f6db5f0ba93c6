// How subcommands take a schedule: from its file, on the network that it is for, with all its paths.
#pragma once

#include "schedules/schedule/schedule_files.hpp"
#include "sim/cli/option_values.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace nocturne::cli {

/// Options `schedule` (the file), `topology` and `max-slack`.
OptionTable schedule_options();

struct InputSchedule {
    Schedule schedule; ///< complete but for `unrouted`
    Topology topology;
    nlohmann::ordered_json claims; ///< LoadedSchedule::claims
    bool has_name;                 ///< in the file; otherwise it is called as the file is
    bool is_completed = false;     ///< paths were missing in the file
    /// Why a step has no paths without conflict, a line each; such steps stay incomplete.
    std::vector<std::string> unrouted = {};
};

/// Is --topology, if it is given, the network of the schedule in this file? Throws std::runtime_error if not,
/// and what topology_from() throws.
void require_topology(const OptionValues& given, const std::string& path, const Topology& topology);

/// Throws std::runtime_error for a file that cannot be read or is of another kind (require_kind()), and as
/// require_topology(). `wanted`: what the command takes, in words.
InputSchedule schedule_of(const OptionValues& given, std::string_view wanted = "a schedule in steps");
/// The same for a file that is not the value of the option `schedule`: only `max-slack` counts.
InputSchedule schedule_from(const std::string& path, const OptionValues& given);

} // namespace nocturne::cli
