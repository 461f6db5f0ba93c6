// Latencies of a network of which some nodes and links have failed.
#pragma once

#include "models/measures/graph.hpp"

#include <cstdint>

namespace nocturne::measures {

/// Averages of the averages, and the maximum of the maxima, over several sets of faults; hops, as in
/// HopLatency, over the processors that are left. Infinite where some set of faults takes the network apart.
struct FaultLatency {
    double average_with_self = 0;
    double average = 0;
    double maximum = 0;
    std::uint32_t trials = 0;       ///< sets of faults
    std::uint32_t disconnected = 0; ///< those of them that leave a processor out of another one's reach

    friend bool operator==(const FaultLatency&, const FaultLatency&) = default;
};

/// Each node fails once, with its processors and links (Marden, A Genetic Algorithm for Designing Parallel
/// Processor Interconnection Networks, section 6.5). Print has 20.99 and 62 for a ring of 64, and 4.01 and 8
/// for an 8x8 torus: average_with_self and maximum. Time: nodes times that of hop_latency().
FaultLatency single_node_faults(const Graph& graph);

/// How many faults are drawn how often.
struct RandomFaults {
    double node_fraction = 0.05; ///< 0 to 1
    double link_fraction = 0.05; ///< 0 to 1
    std::uint32_t draws = 20;
    std::uint64_t seed = 1;
};

/// In each draw so many nodes and so many links fail, drawn without repetition (section 6.6): the fraction of
/// all, rounded to the nearest, but one at least where the fraction is not 0. A link fails in both
/// directions. The draws depend on the seed and on the numbers of nodes and links alone. Time: draws times
/// that of hop_latency(). Throws std::invalid_argument unless the fractions are from 0 to 1.
///
/// What was printed for this measure cannot be averages and maxima of hops: 5.23 and 6 for a 4x4x4 torus,
/// 5.59 and 8 for an 8x8 torus, which have 3.00 and 4.00 hops on average without faults. Here they have 3.02
/// and 6, and 4.10 and 9 (average_with_self and maximum, seed 1). Rings and trees fall apart, as in print.
FaultLatency random_faults(const Graph& graph, const RandomFaults& faults = {});

} // namespace nocturne::measures
