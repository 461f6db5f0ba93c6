// Every lower bound that applies to a problem.
#pragma once

#include "schedules/certificate/bound.hpp"
#include "schedules/problem/problem.hpp"

#include <chrono>
#include <vector>

namespace nocturne {

/// The bounds that need no search, the largest first; at least one, and each at least 1. Exhausted search is
/// not among them (see infeasibility_bound.hpp). After the deadline none is begun but that of the ports, and
/// the flow bound ends with the best that it has. Throws as check().
std::vector<Bound>
lower_bounds(const Problem& problem,
             std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max());

/// The first of them.
Bound lower_bound(const Problem& problem, std::chrono::steady_clock::time_point deadline =
                                              std::chrono::steady_clock::time_point::max());

} // namespace nocturne
