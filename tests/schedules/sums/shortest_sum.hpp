// The fewest steps of one message, added on its way or not, on tiny networks.
#pragma once

#include "schedules/problem/problem.hpp"

#include <cstddef>

namespace nocturne::test {

/// By trying all schedules of at most `most` steps; most + 1 if none is enough. What is owed, of one chunk,
/// says `owed`; the problem's own collective is not read. Throws std::invalid_argument for more than 4
/// processors or 64 channels.
std::size_t fewest_steps_of_one(const Problem& problem, const Collective& owed, std::size_t most);

} // namespace nocturne::test
