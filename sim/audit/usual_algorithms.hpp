// What the usual algorithms of collectives reach at most on a network.
#pragma once

#include "models/topology/link_network.hpp"
#include "schedules/collective/collective.hpp"
#include "schedules/problem/search_end.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nocturne {

/// No run of the algorithm has more, whatever its rings, trees and paths are.
struct AlgorithmLimit {
    std::string algorithm;          ///< `ring`, `double tree`, `direct exchange`, `addition in switches`
    double bus_bytes_per_cycle = 0; ///< bus bandwidth (bus_factor())
    std::string why;                ///< one line, in GB/s for that cycle
};

/// Of those that the collective is done by, among these members (ascending processors, two or more), each of
/// which can be reached:
/// - `ring`: every ring, of however many, crosses every cut between members at least once each way, with
///   (n - 1)/n of the vector, of an all-reduce twice that, of a broadcast or a reduction all of it.
/// - `double tree` (all-reduce; Sanders, Speck and Traeff, Two-tree algorithms for full bandwidth broadcast,
///   reduction and scan, 2009): over boxes if the network has them, with a chain in each, as NCCL's, or over
///   all: what is a leaf of one tree and has two children in the other gets twice the vector, of two once.
/// - `direct exchange` (all-reduce, allgather, reduce-scatter): as an all-to-all of blocks, by the least
///   congestion of its flow.
/// - `addition in switches` (all-reduce on networks with switches): the vector crosses every cut between
///   members once each way. No all-reduce whatever has more.
std::vector<AlgorithmLimit> usual_algorithms(const LinkNetwork& network, CollectiveKind kind,
                                             const std::vector<std::uint32_t>& members, double cycle_ns,
                                             const SearchEnd& end);

/// Traffic into the busiest of so many nodes that do an all-reduce over two trees, in vectors: 1 for two, at
/// most 2. Precondition: two or more.
double double_tree_load(std::uint32_t nodes);

} // namespace nocturne
