// The fewest steps of tiny problems, by trying everything.
#pragma once

#include "schedules/problem/problem.hpp"

#include <cstdint>
#include <optional>

namespace nocturne::test {

/// The steps of a shortest schedule: breadth-first over who has which message, all sets of transfers without
/// conflict in each step. Under a slack messages with one receiver are not relayed. For up to 8 processors
/// and 8 messages together below 64 bits. Nothing after `most_tries` deliveries tried.
std::optional<unsigned> shortest_schedule(const Problem& problem, std::size_t most_tries);

} // namespace nocturne::test
