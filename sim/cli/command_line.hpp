// The command as a function: what main() calls, and what tests call in a process of their own.
#pragma once

#include <string>
#include <vector>

namespace nocturne::cli {

/// Runs `nocturne` with these arguments (without the program's name) and returns its exit status. Throws
/// nothing: an error becomes one line on standard error and status 2, or 3 for a worker that died, an
/// interruption 128 + the signal. Call it once in a process: SystemC elaborates only once.
int run_command_line(const std::vector<std::string>& arguments);

} // namespace nocturne::cli
