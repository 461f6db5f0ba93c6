// Networks of GPUs that other tools print figures for. 1 cycle = 1 ns.
#pragma once

#include "models/topology/link_network.hpp"

namespace nocturne::chunk_trees_test {

/// The NVLink graph of a DGX-1, in units.
LinkNetwork dgx1();
/// 8 GPUs a box at 300 GB/s to an NVSwitch; beyond one box each at 25 GB/s through its NIC to InfiniBand
/// switch b mod 2.
LinkNetwork a100(unsigned boxes);
/// DGX-1 at 25 GB/s a unit; GPU 0 of each at 12.5 GB/s to InfiniBand. In bytes in two cycles.
LinkNetwork ndv2(unsigned chassis);
/// Two chassis of so many GPUs (16 in a DGX2) at 125 GB/s to the chassis' switch, which stores and copies;
/// for every two GPUs a link of 12.5 GB/s between the switches. In bytes in two cycles.
LinkNetwork dgx2x2(unsigned gpus);

} // namespace nocturne::chunk_trees_test
