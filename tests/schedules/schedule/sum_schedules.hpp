// Valid schedules in steps that add, by construction.
#pragma once

#include "tests/schedules/schedule/example_schedules.hpp"

#include <string>

namespace nocturne::test {

/// Allreduce on a hypercube: in step k everybody exchanges with its neighbour in dimension k and adds.
Example recursive_doubling(unsigned dimensions);

/// Reduce-scatter on a ring: each chunk goes once around and is added to at each node.
Example ring_reduce_scatter(unsigned processors);

/// Random transfers between random places of several chunks with random contributors; what processors have
/// when all is over is what they are owed. Any ports.
Example random_sums(const std::string& topology, unsigned seed);

} // namespace nocturne::test
