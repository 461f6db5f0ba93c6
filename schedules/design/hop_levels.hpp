// Distances between all processors of a network, bit-parallel, and again after each exchange of links.
#pragma once

#include "schedules/design/half_edges.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace nocturne::design {

/// Hops over all ordered pairs of processors, each with itself among them (0 hops, as to the others of its node).
struct HopTotals {
    std::uint64_t sum = 0;     ///< a pair that no path joins counts as many hops as there are nodes
    std::uint32_t maximum = 0; ///< the same
    std::uint64_t apart = 0;   ///< pairs that no path joins

    friend bool operator==(const HopTotals&, const HopTotals&) = default;
};

/// When an evaluation may end early: `per_hop * sum + per_level * maximum` is above `most`.
struct HopLimit {
    double per_hop = 0;
    double per_level = 0;
    double most = std::numeric_limits<double>::infinity();
};

/// How the distances are found: the same totals in other times.
enum class HopStrategy {
    fastest, ///< for the size
    /// Every level of every node from the level before.
    all_levels,
    /// The first levels are kept. An exchange changes them near its nodes only, and only there they are renewed;
    /// the levels that it changes for most nodes follow as in all_levels.
    kept_levels,
};

/// The sets of processors that reach each node in at most k hops, a bit each, for k = 0, 1, ..: level k + 1 of a
/// node is the union of level k of itself and of the sources of its links, so that one OR of machine words is a
/// step of 64 (with AVX-512: 512) breadth-first searches. The hops of all pairs are the pairs missing at level 0,
/// plus those missing at level 1, and so on, hence a lower bound of the sum is known after each level, and an
/// evaluation ends as soon as that is above the limit. Under a symmetry s only one in s processors is searched
/// from. Time O(links * diameter * processors / symmetry / 64) words, memory O(nodes * processors / symmetry)
/// bits for each of a few levels.
class HopLevels {
public:
    /// For networks of this request, which must outlive this.
    explicit HopLevels(const Request& request, HopStrategy strategy = HopStrategy::fastest);
    HopLevels(HopLevels&&) noexcept;
    ~HopLevels();

    /// Takes the network as it is, which becomes the one that measure() compares with.
    HopTotals start(const HalfEdges& network);
    /// The totals of the network after one rewire(); nothing if they are above the limit. Then call keep() if the
    /// network stays so; otherwise undo the rewire, and call drop() (also if there was nothing).
    std::optional<HopTotals> measure(const HalfEdges& network, const HopLimit& limit);
    void keep();
    void drop();

private:
    class Rows;
    std::unique_ptr<Rows> rows_;
};

} // namespace nocturne::design
