// Maximum flow and minimum cut, and flows of minimum cost.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nocturne {

/// Push-relabel of the highest label (A. V. Goldberg and R. E. Tarjan, A new approach to the maximum-flow
/// problem, JACM 35, 1988), by LEMON.
class MaxFlow {
public:
    /// What many arcs into one vertex may have together with all others.
    static constexpr std::int64_t unlimited = std::int64_t{1} << 48;

    explicit MaxFlow(std::size_t vertices) : vertices_(vertices) {}

    /// A capacity from 0 to `unlimited`.
    void add_arc(std::uint32_t from, std::uint32_t to, std::int64_t capacity)
    {
        arcs_.push_back({from, to, capacity});
    }

    /// The most that flows from `source` to `sink`, which differ.
    std::int64_t run(std::uint32_t source, std::uint32_t sink);

    /// After run(): is the vertex on the source's side of the minimum cut that is nearest to the source?
    bool is_on_source_side(std::uint32_t vertex) const { return is_on_source_side_[vertex]; }

private:
    struct Arc {
        std::uint32_t from;
        std::uint32_t to;
        std::int64_t capacity;
    };

    std::size_t vertices_;
    std::vector<Arc> arcs_;
    std::vector<bool> is_on_source_side_;
};

struct CostArc {
    std::uint32_t from;
    std::uint32_t to;
    std::int32_t capacity; ///< 0 or more
    std::int32_t cost;     ///< for each unit, 0 or more
};

/// The cheapest way to send so much from one vertex to another: by arc what it takes, in whole numbers. If
/// every cycle has an arc with a cost, no flow goes round. Nothing if so much cannot be sent. By LEMON's
/// network simplex method (P. Kovács, Minimum-cost flow algorithms: an experimental evaluation, Optimization
/// Methods and Software 30, 2015).
std::optional<std::vector<std::int32_t>> cheapest_flow(std::size_t vertices, std::span<const CostArc> arcs,
                                                       std::uint32_t source, std::uint32_t sink,
                                                       std::int32_t amount);

} // namespace nocturne
