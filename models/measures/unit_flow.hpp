// Maximum flows over edges of small capacity, many of them over the same edges.
#pragma once

#include "models/measures/graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nocturne::measures {

/// Dinic's algorithm: shortest augmenting paths, all of one length at a time (S. Even and R. E. Tarjan,
/// Network flow and testing graph connectivity, SIAM J. Comput. 4, 1975: O(sqrt(vertices) * edges) where
/// capacities are 1 and each vertex lets one unit through). Unlike the library functions of Boost it ends as
/// soon as the flow is as large as is of interest, and nothing is built again for the next flow.
class UnitFlow {
public:
    /// `capacities` by edge. Throws std::invalid_argument unless there are as many as edges.
    UnitFlow(std::uint32_t vertices, std::span<const Arc> edges, std::span<const std::uint32_t> capacities);

    /// The most that flows from `source` to `sink`, two different vertices, but no more than `limit`.
    std::uint32_t run(std::uint32_t source, std::uint32_t sink, std::uint32_t limit);

private:
    bool find_levels(std::uint32_t source, std::uint32_t sink);
    /// One unit along a path of levels that go up; false if there is none.
    bool augment(std::uint32_t source, std::uint32_t sink);

    std::vector<std::uint32_t> capacity_; // by half-edge: edge e is 2e, its reverse 2e + 1
    std::vector<std::uint32_t> residual_;
    std::vector<std::uint32_t> begin_; // of a vertex in row_, and the end behind the last
    std::vector<std::uint32_t> row_;   // half-edges by the vertex that they leave
    std::vector<std::uint32_t> target_;
    std::vector<std::uint32_t> level_;
    std::vector<std::uint32_t> next_; // half-edge to try, by vertex, a place in row_
    std::vector<std::uint32_t> queue_;
    std::vector<std::uint32_t> path_; // half-edges from the source
};

} // namespace nocturne::measures
