// What can be said of programs of ranks in GOAL and Chakra's traces.
#pragma once

#include "sim/cli/option_values.hpp"
#include "sim/report/result_description.hpp"

namespace nocturne::cli {

/// Judges those in the file that the option `schedule` names, and prints the verdict as judge() does, with
/// what it leaves open. Returns the exit status. Throws as read_programs(), and for options that are only for
/// schedules.
int validate_programs(const OptionValues& given);
const ResultDescription& validate_program_result();

} // namespace nocturne::cli
