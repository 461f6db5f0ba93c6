// The fewest steps of tiny problems, by trying everything.
#pragma once

#include "models/topology/path.hpp"
#include "schedules/problem/problem.hpp"

#include <optional>
#include <vector>

namespace nocturne::test {

/// By plain recursion, without a router twice: those that the problem's slack and switching allow.
std::vector<Path> all_paths(const Problem& problem, ProcessorId source, ProcessorId destination);

/// The steps of a shortest schedule: breadth-first over who has which message, all sets of transfers without
/// conflict in each step, over all paths by plain recursion. Under a slack messages with one receiver are not
/// relayed. For up to 8 processors and 8 messages together below 64 bits. Nothing after `most_tries`
/// deliveries tried, or if there is none of `most_steps`.
std::optional<unsigned> shortest_schedule(const Problem& problem, std::size_t most_tries,
                                          unsigned most_steps = ~0U);

/// The same however long it takes. Nothing if there is none of at most `most` steps.
std::optional<unsigned> fewest_steps(const Problem& problem, unsigned most);

/// Can every receiver get its message in any number of steps? By trying every transfer again and again.
bool can_be_delivered(const Problem& problem);

} // namespace nocturne::test
