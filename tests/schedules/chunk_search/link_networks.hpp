// Networks of links that the tests of searches for chunks share, and what they ask.
#pragma once

#include "models/routing/random.hpp"
#include "models/topology/link_network.hpp"
#include "schedules/schedule/schedule.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne::test {

/// The NVLink graph of a DGX-1: 8 processors, links of one and two units.
LinkNetwork dgx1(std::uint64_t unit = 1, std::uint64_t latency_cycles = 1);

// Machines of several chassis that other schedulers report times for.

/// 8 GPUs a box at 300 GB/s to an NVSwitch; beyond one box each at 25 GB/s through its NIC to InfiniBand
/// switch b mod 2. A cycle is 1 ns.
LinkNetwork a100(unsigned boxes);
/// DGX-1 at 25 GB/s a unit; GPU 0 of each at 12.5 GB/s to InfiniBand. A cycle is 2 ns here and below.
LinkNetwork ndv2(unsigned chassis);
/// Two chassis of so many GPUs (16 in a DGX2) at 125 GB/s to the chassis' switch, which stores and copies;
/// for every two GPUs a link of 12.5 GB/s between the switches.
LinkNetwork dgx2x2(unsigned gpus);
/// Two Azure NDv2: DGX-1 graphs; GPU 0 of each sends to GPU 1 of the other over InfiniBand, 12.5 GB/s, 1.3
/// us.
LinkNetwork two_ndv2();
/// Two DGX-2: 16 GPUs at 125 GB/s, 0.35 us on a switch; each odd GPU sends to the even one below it in the
/// other chassis, 12.5 GB/s, 2.6 us.
LinkNetwork two_dgx2();

/// A grid with links both ways between neighbours; dimension i has `bytes_per_cycle[i]`.
struct Grid {
    std::vector<std::uint32_t> sides;
    std::vector<std::uint64_t> bytes_per_cycle;
    std::uint64_t latency_cycles = 1;
    bool wraps = false;
};
LinkNetwork grid(const Grid& grid);

/// What is drawn: a ring over all nodes, or with links both ways a tree, and more links.
struct RandomLinks {
    std::uint32_t least_processors = 2;
    std::uint32_t most_processors = 5;
    std::uint32_t most_switches = 0;
    bool copies = false; ///< some of the switches
    bool both_ways = false;
    std::uint32_t most_latency = 0;
    std::uint32_t most_units = 4;
    std::uint32_t most_more = 7;
};
LinkNetwork random_links(SplitMix64& random, const RandomLinks& links = {});
/// Boxes of so many processors at a switch, over links of 450 bytes a cycle; over links of 50 to the switch
/// of its rail each is joined to those at its place in the other boxes.
LinkNetwork rails(std::uint32_t boxes, std::uint32_t each);
/// Boxes of so many processors in a ring both ways, of 100 bytes and 200 cycles, and each over 16 bytes and
/// 1500 cycles at a switch for all: two of a box can also reach each other over that.
LinkNetwork rings(std::uint32_t boxes, std::uint32_t each);
/// Two to four boxes of one to three processors, which a switch or links join, and that one or two switches
/// join over links of other bandwidths.
LinkNetwork random_boxes(SplitMix64& random);

inline constexpr std::array chunk_kinds{
    CollectiveKind::broadcast, CollectiveKind::scatter,   CollectiveKind::gather,
    CollectiveKind::reduce,    CollectiveKind::allgather, CollectiveKind::reduce_scatter,
    CollectiveKind::allreduce, CollectiveKind::alltoall,  CollectiveKind::scan};

/// With the root, if it has one.
Collective of_kind(CollectiveKind kind, const CollectiveShape& shape, std::uint32_t root = 0);

/// Empty if it is valid.
std::string first_violation(const Schedule& schedule, const LinkNetwork& network);

} // namespace nocturne::test
