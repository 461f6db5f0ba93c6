// Which groups of symmetries are worth a search for symmetric schedules.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/scatter/orbit_packing.hpp"
#include "schedules/search/engine.hpp"

#include <vector>

namespace nocturne {

/// Groups for schedules of `steps` steps of a scatter or permutation, the most promising first; none if
/// nothing but the identity is of use. Each keeps no message in its place (so every orbit has as many
/// messages as the group has elements), leaves room for the messages when `steps` is rounded down to a
/// multiple of its shifts, and has an option for every orbit of messages. The same problem and seed give the
/// same groups, unless the control says that time is over: then what has been found so far.
std::vector<StepGroup> choose_step_groups(const Problem& problem, unsigned steps,
                                          const SearchControl& control);

} // namespace nocturne
