// Machines of several chassis that other schedulers report times for. A cycle is 2 ns, so that 12.5 GB/s are
// 25 bytes a cycle.
#pragma once

#include "models/topology/link_network.hpp"

namespace nocturne::test {

inline constexpr double cycles_per_ms = 500'000;

/// The NVLink graph of a DGX-1: 25 GB/s a unit, 0.7 us.
LinkNetwork dgx1_nvlink();

/// Two Azure NDv2: DGX-1 graphs; GPU 0 of each sends to GPU 1 of the other over InfiniBand, 12.5 GB/s, 1.3
/// us.
LinkNetwork two_ndv2();

/// Two DGX-2: 16 GPUs at 125 GB/s, 0.35 us on a switch; each odd GPU sends to the even one below it in the
/// other chassis, 12.5 GB/s, 2.6 us.
LinkNetwork two_dgx2();

} // namespace nocturne::test
