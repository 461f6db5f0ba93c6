// The checker's own computation of the dominator bound.
#pragma once

#include "schedules/problem/problem.hpp"

namespace nocturne {

/// No schedule of a broadcast of one message has fewer steps; 0 for other problems. By the definition, router
/// by router: what cannot be reached without it is what it dominates.
unsigned steps_by_dominators(const Problem& problem);

} // namespace nocturne
