// The paths that a search for a scatter has to choose from.
#pragma once

#include "schedules/bounds/flow_bound.hpp"
#include "schedules/problem/problem.hpp"
#include "schedules/search/path_choice.hpp"

#include <vector>

namespace nocturne {

/// By message; a message has one receiver.
using Candidates = std::vector<std::vector<Path>>;

/// Paths of every message: see choose_paths(). Throws std::invalid_argument if a message has several
/// receivers.
Candidates candidate_paths(const Problem& problem, const PathChoice& choice);

/// Those of `candidates` that a schedule of `steps` steps can use. Under the lengths of `flow`, which is a
/// solution for the problem, such a schedule has steps x capacity to give away, and all messages together
/// need the distance at least: no path can be longer than a shortest walk by more than the difference
/// (complementary slackness). Nothing is left of any message if the bound is above `steps`.
Candidates usable_paths(const Problem& problem, Candidates candidates, const FlowSolution& flow,
                        unsigned steps);

} // namespace nocturne
