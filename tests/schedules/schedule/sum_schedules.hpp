// Valid schedules in steps that add, by construction.
#pragma once

#include "tests/schedules/schedule/example_schedules.hpp"

#include <string>

namespace nocturne::test {

/// Allreduce on a hypercube: in step k everybody exchanges with its neighbour in dimension k and adds.
Example recursive_doubling(unsigned dimensions);

/// Scan on a complete network (Hillis and Steele): in step k node i adds what node i - 2^k has.
Example hillis_steele(unsigned processors);

/// Reduce-scatter on a ring: each chunk goes once around and is added to at each node.
Example ring_reduce_scatter(unsigned processors);

/// Reduce to a random root along a random tree, and with `spreads` back along another one, which makes it an
/// allreduce whose copies replace partial sums. One-port.
Example random_reduce(const std::string& topology, unsigned seed, bool spreads);

/// Random transfers between random places of several chunks with random contributors; what processors have
/// when all is over is what they are owed. Any ports.
Example random_sums(const std::string& topology, unsigned seed);

} // namespace nocturne::test
