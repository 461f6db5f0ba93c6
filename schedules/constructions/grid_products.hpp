// Scatters of all on meshes and tori, put together from what each dimension would send along a single line.
#pragma once

#include "schedules/problem/problem.hpp"
#include "schedules/schedule/schedule.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace nocturne {

/// What a coordinate of a message does: it goes up (direction 0) or down (1), or stays.
struct LineMove {
    unsigned from;
    unsigned to;
    std::size_t direction;
};

/// Moves along a line, or a ring, that share no channel.
using LinePattern = std::vector<LineMove>;

/// Patterns in which no coordinate is twice where a move begins, or twice where one ends.
using LineTuple = std::vector<LinePattern>;

/// The dimensions in which a message travels one after the other: from the last to the first, or the reverse.
enum class LegOrder { last_first, first_first };

/// A schedule of AAS in the making, on routers in a grid with one processor each. A *product* of patterns,
/// one for each dimension, has a message for each combination of their moves. Where the last dimension comes
/// first, it travels along a line whose place in an earlier dimension is where that dimension's move begins,
/// and in a later one where the move ends.
class GridScatter {
public:
    /// Nothing for other collectives, with fewer ports than `ports` at a processor, and if a router has not
    /// one processor or misses a channel to a neighbour: in a mesh, or, where the grid `wraps`, in a torus.
    /// `construction` is who makes the schedule.
    static std::optional<GridScatter> begin(const Problem& problem, const Grid& grid, unsigned ports,
                                            std::string_view construction);

    void add_step() { schedule_.steps.emplace_back(); }

    /// Adds to the last step a product of patterns, by dimension, without the message that a processor would
    /// send to itself.
    void add_product(std::span<const LinePattern* const> patterns, LegOrder order = LegOrder::last_first);

    /// Adds to the last step products of patterns from the tuples, by dimension, that use no channel twice:
    /// the patterns of all dimensions but one determine that of the last, whichever it is. The place of the
    /// pattern from the largest tuple is the sum of all others and of `shift`, modulo the number of its
    /// patterns (a Latin square, for three tuples of one size). Over all shifts up to that number every
    /// product is there once.
    void add_products(std::span<const LineTuple* const> tuples, std::size_t shift,
                      LegOrder order = LegOrder::last_first);

    /// The schedule; nothing if paths are too long for the problem.
    std::optional<Schedule> finish() &&;

private:
    GridScatter(const Problem& problem, const Grid& grid, std::vector<ProcessorId> processors,
                std::string_view construction);

    unsigned coordinate(RouterId router, std::size_t dimension) const
    {
        return router / stride_[dimension] % extent_[dimension];
    }
    RouterId neighbour(RouterId router, std::size_t dimension, std::size_t direction) const;
    void send(std::span<const LineMove* const> moves, LegOrder order);

    const Problem* problem_;
    Schedule schedule_;
    std::vector<unsigned> extent_;
    std::vector<RouterId> stride_;
    std::vector<ProcessorId> processors_; ///< by router
    std::vector<ChannelId> channels_;     ///< [(router * dimensions + dimension) * 2 + direction]
};

/// Counts up `digits` in the mixed radix `sizes`, the last one fastest; false when it is back at zeros.
bool advance(std::vector<std::size_t>& digits, const std::vector<std::size_t>& sizes);

} // namespace nocturne
