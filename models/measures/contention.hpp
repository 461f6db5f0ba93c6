// Latencies when every processor sends to every other one and messages make way for each other.
#pragma once

#include "models/measures/graph.hpp"

#include <cstdint>
#include <vector>

namespace nocturne::measures {

/// Hops and loads under moderate contention. Waiting is not counted, only hops: how long are the ways around
/// what is congested? Infinite where a processor does not reach another.
struct Contention {
    double average_with_self = 0; ///< sum of hops / P^2: a processor's message to itself takes none
    double average = 0;           ///< sum of hops / (P (P - 1))
    double maximum = 0;
    double link_deviation = 0; ///< of the messages on an arc: sample standard deviation over all arcs
    /// What the paper prints: half the population deviation over as many places for arcs as all nodes would
    /// have if each had the largest degree, with 0 for those that are not used. Print is 104.92 for the tree
    /// of 63 nodes, where all paths are unique, and so is this.
    double printed_deviation = 0;
    std::vector<std::uint64_t> messages = {}; ///< by arc

    friend bool operator==(const Contention&, const Contention&) = default;
};

/// Moderate contention of Marden (A Genetic Algorithm for Designing Parallel Processor Interconnection
/// Networks), section 4.1: each processor in turn sends a message to each other one; messages of one source
/// do not conflict, those of different sources on one arc do; a message takes the path on which it arrives
/// first.
///
/// The paper leaves open what a conflict costs. Here an arc that k earlier sources use is free from cycle k
/// on, and carries a message in one cycle; all messages start in cycle 0, so that one that reaches the arc in
/// cycle t leaves it in cycle max(t, k) + 1. Of paths that arrive in the same cycle one with the fewest hops
/// is taken; of nodes that are reached in the same cycle the one with the largest number is looked at first.
/// Of more than a hundred rules that were tried (queues that grow by messages, time slots, start times by
/// source, rounds by destination, costs that grow with a load) this one comes nearest to table 2 for the
/// tori, and it has nothing to tune:
///
/// | network | print: average, maximum, deviation | here |
/// | --- | --- | --- |
/// | ring of 64 | 18.16, 61, 103.19 | 17.04, 46, 88.22 |
/// | tree of 63 | 6.48, 10, 104.92 | 6.48, 10, 104.92 |
/// | 8x8 torus | 4.48, 12, 12.79 | 4.46, 11, 13.59 |
/// | 4x4x4 torus | 3.36, 10, 8.50 | 3.25, 8, 8.76 |
///
/// The numbers of the nodes matter, as they say whose turn it is. Time O(P * arcs * log nodes), one search
/// for each processor: 0.5 ms for 64 nodes with 4 links each, 0.2 s for 1024.
Contention moderate_contention(const Graph& graph);

} // namespace nocturne::measures
