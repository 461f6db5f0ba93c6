// Branch and bound for the fewest links between two halves.
#pragma once

#include "models/measures/bisection.hpp"

namespace nocturne::measures {

/// The best of `found` and what at most `steps` steps find; exact if they end by themselves. `least` is the
/// least number of processors of a part. Steps put a node on a side; a bound is the number of links between
/// the parts so far, and for each node that is on neither side the fewer of its links to one of them.
Bisection improve_exactly(const Graph& graph, const Bisection& found, std::uint64_t least,
                          std::uint64_t steps);

} // namespace nocturne::measures
