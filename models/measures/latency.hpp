// Latency of a network without contention, in hops: the length of shortest paths.
#pragma once

#include "models/measures/graph.hpp"

#include <cstdint>
#include <limits>

namespace nocturne::measures {

/// What a measure is of a network in which some processor does not reach another.
inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// Hops from the node where a processor injects to the node where another one is ejected to. All three are
/// infinite where a pair of different processors is not joined; all are 0 without processors.
struct HopLatency {
    /// Over all ordered pairs, each processor with itself among them: sum / P^2. The average of Marden (A
    /// Genetic Algorithm for Designing Parallel Processor Interconnection Networks), section 2.3: a 64-node
    /// ring has 16.00.
    double average_with_self = 0;
    /// Over the ordered pairs of different processors: sum / (P (P - 1)). What most papers call the average
    /// distance, or average shortest path length; 0 for a single processor.
    double average = 0;
    /// Over the pairs of different processors; the diameter in a direct network.
    double maximum = 0;
    /// Ordered pairs of different processors that no path joins: tells how far from connected a network is.
    std::uint64_t unreachable_pairs = 0;

    friend bool operator==(const HopLatency&, const HopLatency&) = default;
};

/// Breadth-first searches from up to 256 nodes at a time, a bit for each: a level is one OR of machine words
/// for each arc. Time O(diameter * arcs * nodes / 256 vector operations); some 8 us for 64 nodes with 4 links
/// each, and 2 ms for 1024. Where paths are so long that it is less, as in rings, from one node at a time:
/// time O(arcs * nodes). A processor of a unidirectional multistage network that no path leads back to
/// counts as infinitely far from itself in average_with_self only.
HopLatency hop_latency(const Graph& graph);

/// What a search from all nodes takes in each of the two manners, in steps of some 2 ns.
struct SearchSteps {
    double wide;   ///< from 256 nodes at a time
    double single; ///< from one
};

/// Of hop_latency(), if no node is farther than `levels` hops.
SearchSteps search_steps(const Graph& graph, double levels);

} // namespace nocturne::measures
