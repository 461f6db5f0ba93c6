// Every lower bound that applies to a problem.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"

#include <vector>

namespace nocturne {

/// The bounds that need no search, the largest first; at least one, and each at least 1. Exhausted search is not among
/// them (see exhausted.hpp). Throws as check().
std::vector<Bound> lower_bounds(const Problem& problem);

/// The first of them.
Bound lower_bound(const Problem& problem);

} // namespace nocturne
