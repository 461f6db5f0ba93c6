// Seeded random networks for property tests: one processor at each router, now and then parallel channels.
#pragma once

#include "models/topology/topology.hpp"

#include <cstdint>

namespace nocturne::test {

/// Connected, of two-way links: a random tree and `extra_links` more.
Topology random_connected(std::uint64_t seed, unsigned routers, unsigned extra_links);

/// Strongly connected, of one-way channels: a ring in random order and `extra_channels` more.
Topology random_directed(std::uint64_t seed, unsigned routers, unsigned extra_channels);

} // namespace nocturne::test
