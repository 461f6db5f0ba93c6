// Distances between all processors of a network, bit-parallel, and again after each exchange of links.
#pragma once

#include "schedules/design/half_edges.hpp"
#include "schedules/design/hop_rows.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace nocturne::design {

/// Hops over all ordered pairs of processors, each with itself among them (0 hops, as to the others of its
/// node).
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
    /// The first levels are kept. An exchange changes them near its nodes only, and only there they are
    /// renewed; the levels that it changes for most nodes follow as in all_levels.
    kept_levels,
};

/// The sets of processors that reach each node in at most k hops, a bit each, for k = 0, 1, ..: level k + 1
/// of a node is the union of level k of itself and of the sources of its links, so that one OR of machine
/// words is a step of 64 (with AVX-512: 512) breadth-first searches. The hops of all pairs are the pairs
/// missing at level 0, plus those missing at level 1, and so on, hence a lower bound of the sum is known
/// after each level, and an evaluation ends as soon as that is above the limit. Under a symmetry s only one
/// in s processors is searched from. Time O(links * diameter * processors / symmetry / 64) words, memory
/// O(nodes * processors / symmetry) bits for each of a few levels.
class HopLevels {
public:
    /// For networks of this request.
    explicit HopLevels(const Request& request, HopStrategy strategy = HopStrategy::fastest);

    /// Takes the network as it is, which becomes the one that measure() compares with.
    HopTotals start(const HalfEdges& network);
    /// The totals of the network after one rewire(); nothing if they are above the limit. Then call keep() if
    /// the network stays so; otherwise undo the rewire, and call drop() (also if there was nothing).
    std::optional<HopTotals> measure(const HalfEdges& network, const HopLimit& limit)
    {
        return (this->*measure_)(network, limit);
    }
    void keep();
    void drop();

private:
    using Measure = std::optional<HopTotals> (HopLevels::*)(const HalfEdges&, const HopLimit&);

    /// Pairs within some number of hops, of a processor searched from and ..
    struct Reached {
        std::int64_t nodes = 0;      ///< .. a node
        std::int64_t processors = 0; ///< .. a processor
    };
    /// The sum of the hops so far, level by level.
    struct Progress {
        std::uint64_t sum = 0;
        std::uint32_t level = 0; ///< levels that are in the sum

        void add(std::int64_t missing)
        {
            sum += static_cast<std::uint64_t>(missing);
            ++level;
        }
    };

    NOCTURNE_INLINE void count(Reached& reached, NodeId node, std::int64_t bits) const
    {
        reached.nodes += bits;
        reached.processors += weights_.empty() ? bits : weights_[node] * bits;
    }
    NOCTURNE_INLINE bool is_above(const Progress& progress, const HopLimit& limit) const
    {
        return limit.per_hop * static_cast<double>(progress.sum * turns_) + limit.per_level * progress.level >
               limit.most;
    }
    HopTotals totals(const Progress& progress, const Reached& reached, bool is_stalled) const;

    template <std::size_t block, typename RowIndex, typename Degree>
    NOCTURNE_INLINE Reached next_level(const NodeId* sources, const RowIndex& from, Word* to,
                                       Degree degree) const;
    template <std::size_t block, typename RowIndex>
    NOCTURNE_INLINE Reached next_level(const HalfEdges& network, const RowIndex& from, Word* to) const;
    template <std::size_t block>
    NOCTURNE_INLINE void renew_row(const HalfEdges& network, unsigned level, NodeId node, Reached& reached);
    template <std::size_t block>
    NOCTURNE_INLINE std::optional<HopTotals> measure_here(const HalfEdges& network, const HopLimit& limit);

    template <std::size_t block>
    std::optional<HopTotals> measure_plain(const HalfEdges& network, const HopLimit& limit)
    {
        return measure_here<block>(network, limit);
    }
#if defined(__x86_64__)
    template <std::size_t block>
    [[gnu::target("avx2,bmi,bmi2,popcnt")]] std::optional<HopTotals> measure_avx2(const HalfEdges& network,
                                                                                  const HopLimit& limit)
    {
        return measure_here<block>(network, limit);
    }
    template <std::size_t block>
    [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,avx2,bmi,bmi2,popcnt")]] //
    std::optional<HopTotals>
    measure_avx512(const HalfEdges& network, const HopLimit& limit)
    {
        return measure_here<block>(network, limit);
    }
#endif
    template <std::size_t block>
    static Measure for_this_processor();
    Measure for_words() const;

    std::size_t place(unsigned level, NodeId node) const { return std::size_t{level} * nodes_ + node; }
    void set_level_0(const Request& request);
    void find_frontier(const HalfEdges& network, unsigned level);

    NodeId nodes_;
    unsigned turns_;                     ///< the symmetry
    std::uint32_t columns_ = 0;          ///< processors searched from
    std::size_t words_;                  ///< in a row
    std::vector<std::uint32_t> weights_; ///< processors of each node; empty if each has one
    std::int64_t pairs_ = 0;             ///< of a processor and one searched from
    Measure measure_;

    RowStore work_; ///< two levels
    /// Levels 0 to kept_, with two slots for each node. The active one holds what belongs to the network, or
    /// to the candidate while one is measured; the other one is free, or holds what belongs to the network.
    RowStore rows_;
    unsigned kept_ = 0;
    std::vector<std::uint32_t> counts_; ///< bits by slot
    std::vector<std::uint32_t> active_; ///< slots by level and node
    std::vector<Reached> reached_;      ///< by level
    std::vector<Reached> candidate_reached_;
    std::vector<std::vector<NodeId>> changed_; ///< by level: nodes whose slots have been swapped
    std::vector<NodeId> frontier_;             ///< nodes to renew
    std::vector<std::uint32_t> stamp_;         ///< by node: the last frontier that it was in
    std::uint32_t stamps_ = 0;
    bool is_starting_ = false; ///< every node counts as touched
};

} // namespace nocturne::design
