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

/// What with_random_parts() gives routers and channels of their own, some of each.
struct RandomParts {
    bool pipelines = true;
    bool clocks = false;    ///< of ratios from 1/4 to 4
    bool buffers = false;   ///< 1..9 flits
    bool arbiters = false;  ///< any
    unsigned least_vcs = 0; ///< 0: no virtual channels of their own
    unsigned most_vcs = 4;
    bool pools = false;   ///< that virtual channels share, 1..9 flits
    bool packets = false; ///< that ejection links move at a time, 1..4
    bool rates = false;   ///< of interfaces, from 0.3 bytes a cycle on
};

/// The same network, some of whose routers and channels have what is asked for.
Topology with_random_parts(Topology topology, SplitMix64& random, const RandomParts& parts);

/// In a cycle of it those of every clock of with_random_parts() are whole picoseconds.
inline constexpr double whole_cycle_ns = 0.012;

} // namespace nocturne::test
