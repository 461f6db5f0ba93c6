// A second opinion on bisections, by METIS.
#pragma once

#include "models/measures/bisection.hpp"

#include <optional>

namespace nocturne::measures {

/// Two parts found by multilevel recursive bisection (G. Karypis and V. Kumar, A fast and high quality
/// multilevel scheme for partitioning irregular graphs, SIAM J. Sci. Comput. 20, 1998), the best of `starts`
/// seeds from `seed` on; parts as bisection() has them. Nothing in a build without METIS, and where METIS
/// finds no parts that are even enough. Throws as bisection().
std::optional<Bisection> metis_bisection(const Graph& graph, const BisectionEffort& effort = {});

} // namespace nocturne::measures
