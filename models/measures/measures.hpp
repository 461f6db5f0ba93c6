// All measures of a network as one value.
#pragma once

#include "models/measures/bisection.hpp"
#include "models/measures/contention.hpp"
#include "models/measures/fault_latency.hpp"
#include "models/measures/latency.hpp"
#include "models/measures/moore_bound.hpp"
#include "models/measures/path_spread.hpp"
#include "models/measures/wires.hpp"

#include <optional>
#include <string>
#include <vector>

namespace nocturne::measures {

/// What measure() is told of a network beside its graph.
struct MeasureOptions {
    std::vector<Position> positions =
        {}; ///< of the nodes, for the wires; empty: the graph's lengths, if it has any
    RandomFaults faults = {};
    BisectionEffort bisection = {.exact_steps = 10'000'000};
    double most_seconds = 4; ///< a measure that is estimated to take longer is left out
};

/// What was measured. A measure that makes no sense for a network, or would take too long, is left
/// out; a line in `left_out` then says which, and why.
struct Measures {
    std::size_t nodes = 0;
    std::size_t processors = 0;
    std::size_t links = 0; ///< a bidirectional link is one, and so is a one-way channel
    HopLatency latency = {};
    std::optional<LatencyBound> bound =
        {}; ///< for as many nodes of the largest degree; one processor at each
    std::optional<Contention> contention = {};
    std::optional<WireLengths> wires = {};
    unsigned smallest_degree = 0;
    std::optional<unsigned> edge_connectivity = {};
    std::optional<unsigned> vertex_connectivity = {};
    std::optional<Bisection> bisection = {};
    std::optional<std::uint64_t> metis_bisection = {}; ///< links; only in a build with METIS
    std::optional<PathSpread> spread = {};
    std::optional<FaultLatency> single_faults = {};
    std::optional<FaultLatency> random_faults = {};
    std::vector<std::string> left_out = {};
};

/// Every measure of this module. A network of 1024 nodes takes seconds: a measure is left out where it would
/// take more than four, as estimated from its steps. Latencies and bisections are never left out.
/// Throws std::invalid_argument if there are positions, but not one for each node.
Measures measure(const Graph& graph, const MeasureOptions& options = {});

} // namespace nocturne::measures
