// What sums come to, by adding: what the validator and the engines are compared with.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

namespace nocturne::test {

/// Has every receiver, when the transfers have been carried out step by step, each contribution that it is
/// owed exactly once and no other? Channels and ports are not looked at.
bool sums_are_right(const Schedule& schedule);

} // namespace nocturne::test
