// One long computation of a command: beside it a line on the terminal says how long it has taken, and Ctrl-C
// ends it.
#pragma once

#include "schedules/workers/workers.hpp"

#include <string_view>

namespace nocturne::cli {

/// The result of the job, which runs in a worker process. Throws as run_jobs().
nlohmann::json run_alone(std::string_view command, const Job& job);

} // namespace nocturne::cli
