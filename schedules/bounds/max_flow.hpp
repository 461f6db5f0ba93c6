// Maximum flow and minimum cut.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace nocturne {

/// Dinic's algorithm (E. A. Dinic, Algorithm for solution of a problem of maximum flow in networks with power
/// estimation, Soviet Mathematics Doklady 11, 1970): shortest augmenting paths, one blocking flow for each
/// length.
class MaxFlow {
public:
    static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max() / 4;

    explicit MaxFlow(std::size_t vertices) : from_(vertices) {}

    /// A capacity of 0 or more.
    void add_arc(std::uint32_t from, std::uint32_t to, std::int64_t capacity);

    /// The most that flows from `source` to `sink`, which differ. Once for each object.
    std::int64_t run(std::uint32_t source, std::uint32_t sink);

    /// After run(): is the vertex on the source's side of a minimum cut?
    bool is_on_source_side(std::uint32_t vertex) const { return level_[vertex] != cut_off; }

private:
    static constexpr std::uint32_t cut_off = ~0u;

    struct Arc { // the reverse of arc a is arc a ^ 1
        std::uint32_t to;
        std::int64_t residual;
    };

    bool find_levels(std::uint32_t source, std::uint32_t sink);
    std::int64_t augment(std::uint32_t source, std::uint32_t sink);

    std::vector<Arc> arcs_;
    std::vector<std::vector<std::uint32_t>> from_;
    std::vector<std::uint32_t> level_;
    std::vector<std::size_t> next_; // arc to try, by vertex
};

} // namespace nocturne
