// What the validator says of a schedule, on standard output.
#pragma once

#include "schedules/schedule/validator.hpp"
#include "sim/cli/schedule_input.hpp"

#include <nlohmann/json.hpp>

namespace nocturne::cli {

/// Rule and text, and of its other members those that it has.
nlohmann::ordered_json to_json(const Violation& violation);

/// Prints every violation, or that there is none, as text or with --json as one object. Returns the exit
/// status.
int judge(const InputSchedule& input, const OptionValues& given);

} // namespace nocturne::cli
