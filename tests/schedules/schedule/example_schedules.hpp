// Valid schedules by construction, and random networks and schedules to test with.
#pragma once

#include "schedules/schedule/schedule.hpp"

#include <random>
#include <vector>

namespace nocturne::test {

using Random = std::mt19937;

/// A number from 0 to bound - 1.
std::size_t below(Random& random, std::size_t bound);

struct Example {
    Schedule schedule;
    Topology topology;
};

/// A schedule of the library, with paths.
Example printed(const std::string& file);

/// AAS on a hypercube by the permutations i -> i xor k, one a step, e-cube paths, one-port.
Example xor_scatter(unsigned dimensions);

/// OAB on a hypercube by a binomial tree, one dimension a step, one-port.
Example binomial_broadcast(unsigned dimensions);

/// AAB on a ring by rotation: in each step everybody passes on what it got last. One-port, store-and-forward.
Example rotation_broadcast(unsigned processors);

/// A connected network with parallel links, and routers with none or several processors.
Topology random_network(Random& random, unsigned routers, unsigned processors);

/// AAS on a random network, one transfer a step over a random path of slack 1, one-port.
Example sequential_scatter(unsigned seed);

/// Several of each of the above.
std::vector<Example> valid_examples();

/// Any transfers of known messages between known processors, mostly nonsense: the paths too.
Example random_schedule(unsigned seed);

/// Hops of the longest path of each step (what the model t0 + m t1 neglects); transfers without a path count
/// 0.
std::vector<std::size_t> longest_hops(const Schedule& schedule);

} // namespace nocturne::test
