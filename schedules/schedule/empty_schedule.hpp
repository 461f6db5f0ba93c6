// Where every construction and engine begins.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <string_view>

namespace nocturne {

/// The schedule of `problem` without any step yet. `engine`, who fills it, goes into its `source`.
Schedule empty_schedule(const Problem& problem, std::string_view engine);

} // namespace nocturne
