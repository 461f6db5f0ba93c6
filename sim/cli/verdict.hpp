// What the validator says of a schedule, on standard output.
#pragma once

#include "sim/cli/schedule_input.hpp"

namespace nocturne::cli {

/// Prints every violation, or that there is none, as text or with --json as one object. Returns the exit
/// status.
int judge(const InputSchedule& input, const OptionValues& given);

} // namespace nocturne::cli
