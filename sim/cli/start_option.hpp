// `--start`: a schedule that a search begins with, from a file of this format or another.
#pragma once

#include "schedules/problem/chunk_problem.hpp"
#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"
#include "sim/cli/option_values.hpp"

namespace nocturne::cli {

OptionTable start_options();

/// The problem that the options pose, as problem_of(), or without `topology` that of a schedule of whole
/// messages in steps in the file of `start`: its network, collective, ports, switching and slack. Throws
/// std::invalid_argument, one line, for options that pose a problem beside that; for a schedule in chunks, or
/// where `objective` or `bytes` ask for one, with the command to type.
Problem problem_or_that_of_start(const OptionValues& given);

/// As one of messages in steps, or between memories, whatever the file has. Throws std::runtime_error, one
/// line that names the file, if it has no schedule, or one for another network (with its faults) or
/// collective, or one of the other kind that is not valid or cannot be converted.
Schedule start_for(const Problem& problem, const OptionValues& given);
Schedule start_for(const ChunkProblem& problem, const OptionValues& given);

} // namespace nocturne::cli
