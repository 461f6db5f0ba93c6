// Seeded random parameters and networks for property tests.
#pragma once

#include "models/network/configuration.hpp"
#include "models/routing/random.hpp"
#include "models/topology/topology.hpp"

namespace nocturne::test {

/// Any pipeline, delays, flit size and number of virtual channels, with buffers for the full rate.
HardwareConfig random_config(SplitMix64& random);

/// The same network with channels of latency 1..3 and any width, one in three narrower than 4 bytes.
Topology with_random_channels(const Topology& topology, SplitMix64& random);

} // namespace nocturne::test
