#include "schedules/constructions/torus_phases.hpp"

#include "schedules/constructions/network_shape.hpp"
#include "schedules/schedule/empty_schedule.hpp"
#include "schedules/schedule/validator.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

/// A message along a ring, or a coordinate of one.
struct Move {
    unsigned from;
    unsigned to;
};

using Chain = std::array<Move, 4>;
using Tuple = std::vector<Chain>; ///< chains without common nodes

/// The tuples of a ring of n nodes, clockwise.
std::vector<Tuple> clockwise_tuples(unsigned n)
{
    const unsigned half = n / 2, quarter = n / 4;
    const auto chain = [half](unsigned a, unsigned b) {
        const auto [low, high] = std::minmax(a, b);
        return Chain{Move{low, high}, {high, low + half}, {low + half, high + half}, {high + half, low}};
    };
    std::vector<Tuple> tuples;
    const unsigned turning =
        half - 1; // classes on the circle of the tournament; the last class stays outside
    for (unsigned round = 0; round < turning; ++round) {
        Tuple& tuple = tuples.emplace_back();
        tuple.push_back(chain(turning, round));
        for (unsigned i = 1; i < quarter; ++i)
            tuple.push_back(chain((round + i) % turning, (round + turning - i) % turning));
    }
    Tuple& rest = tuples.emplace_back();
    for (unsigned a = 0; a < quarter; ++a) {
        const unsigned b = a + quarter;
        rest.push_back({Move{a, a + half}, {a + half, a}, {b, b}, {b + half, b + half}});
    }
    return tuples;
}

std::vector<Tuple> mirrored(std::vector<Tuple> tuples, unsigned n)
{
    for (Tuple& tuple : tuples)
        for (Chain& chain : tuple)
            for (auto& [from, to] : chain) {
                from = n - 1 - from;
                to = n - 1 - to;
            }
    return tuples;
}

/// The tuples of a ring, clockwise (0) and counter-clockwise (1).
using Directions = std::array<std::vector<Tuple>, 2>;

Directions make_tuples(unsigned n)
{
    return {clockwise_tuples(n), mirrored(clockwise_tuples(n), n)};
}

/// A straight part of a path.
struct Leg {
    std::size_t dimension;
    std::size_t direction;
    unsigned to; ///< coordinate
};

/// Routers in a grid of which every dimension closes to a ring; the last one varies fastest.
class Torus {
public:
    /// Nothing if a router has not one processor or misses a channel.
    static std::optional<Torus> recognise(const Topology& topology, const std::vector<unsigned>& extent)
    {
        auto processors = processors_of_routers(topology);
        if (!processors)
            return std::nullopt;
        Torus torus(extent, std::move(*processors));
        for (RouterId r = 0; r < topology.router_count(); ++r)
            for (std::size_t d = 0; d < extent.size(); ++d)
                for (const std::size_t direction : {0U, 1U}) {
                    const auto channel = find_channel(topology, r, torus.neighbour(r, d, direction));
                    if (!channel)
                        return std::nullopt;
                    torus.channels_.push_back(*channel);
                }
        return torus;
    }

    /// Adds the transfer that starts at a router, unless it is one to itself.
    void send(const Problem& problem, Step& step, RouterId from, std::initializer_list<Leg> legs) const
    {
        Path path;
        RouterId at = from;
        for (const auto& [dimension, direction, to] : legs)
            while (coordinate(at, dimension) != to) {
                path.push_back(channels_[(at * extent_.size() + dimension) * 2 + direction]);
                at = neighbour(at, dimension, direction);
            }
        if (at != from)
            step.push_back({*find_message(problem.collective, processors_[from], processors_[at]),
                            processors_[from], processors_[at], std::move(path)});
    }

private:
    Torus(const std::vector<unsigned>& extent, std::vector<ProcessorId> processors)
        : extent_(extent), stride_(extent.size(), 1), processors_(std::move(processors))
    {
        for (std::size_t d = extent.size() - 1; d-- > 0;)
            stride_[d] = stride_[d + 1] * extent[d + 1];
    }

    unsigned coordinate(RouterId router, std::size_t dimension) const
    {
        return router / stride_[dimension] % extent_[dimension];
    }
    RouterId neighbour(RouterId router, std::size_t dimension, std::size_t direction) const
    {
        const unsigned here = coordinate(router, dimension), extent = extent_[dimension];
        const unsigned there = (here + (direction == 0 ? 1 : extent - 1)) % extent;
        return router - here * stride_[dimension] + there * stride_[dimension];
    }

    std::vector<unsigned> extent_;
    std::vector<unsigned> stride_;
    std::vector<ProcessorId> processors_; ///< by router
    std::vector<ChannelId> channels_;     ///< [(router * dimensions + dimension) * 2 + direction]
};

/// The network of a problem that these constructions are for; nothing if it is none of them.
std::optional<Torus> recognise(const Problem& problem, const std::vector<unsigned>& extent)
{
    const bool fits =
        std::all_of(extent.begin(), extent.end(), [](unsigned n) { return n > 0 && n % 4 == 0; });
    if (!fits || problem.collective.kind != CollectiveKind::aas || common_ports(problem) < 2)
        return std::nullopt;
    return Torus::recognise(problem.topology, extent);
}

std::optional<Schedule> unless_too_long(const Problem& problem, Schedule schedule)
{
    if (!keeps_transfer_rules(problem, schedule))
        return std::nullopt;
    return schedule;
}

/// A tuple of each dimension, and which chain of the columns meets which of the rows.
struct Phase {
    std::size_t row_tuple;
    std::size_t column_tuple;
    std::size_t rotation;
    std::size_t row_direction;
    std::size_t column_direction;
};

} // namespace

std::optional<Schedule> ring_phases(const Problem& problem)
{
    const auto n = static_cast<unsigned>(problem.topology.router_count());
    const auto ring = recognise(problem, {n});
    if (!ring)
        return std::nullopt;
    Schedule schedule = empty_schedule(problem, "construct, ring phases");
    const Directions tuples = make_tuples(n);
    for (std::size_t t = 0; t < n / 2; ++t)
        for (std::size_t i = 0; i < n / 4; ++i) {
            Step& step = schedule.steps.emplace_back();
            for (const std::size_t direction : {0U, 1U})
                for (const auto& [from, to] : tuples[direction][t][i])
                    ring->send(problem, step, from, {{0, direction, to}});
        }
    return unless_too_long(problem, std::move(schedule));
}

std::optional<Schedule> torus_phases(const Problem& problem)
{
    const auto& grid = problem.topology.grid();
    if (!grid || grid->extent.size() != 2)
        return std::nullopt;
    const auto torus = recognise(problem, grid->extent);
    if (!torus)
        return std::nullopt;
    const unsigned rows = grid->extent[0], columns = grid->extent[1];
    const Directions along_row = make_tuples(columns), along_column = make_tuples(rows);
    const std::size_t rotations = std::max(rows, columns) / 4;

    const auto add_phase = [&](Step& step, const Phase& phase) {
        const Tuple& row_chains = along_row[phase.row_direction][phase.row_tuple];
        const Tuple& column_chains = along_column[phase.column_direction][phase.column_tuple];
        for (std::size_t i = 0; i < row_chains.size(); ++i)
            if (const std::size_t j = (i + phase.rotation) % rotations; j < column_chains.size())
                for (const auto& [x1, x2] : row_chains[i])
                    for (const auto& [y1, y2] : column_chains[j])
                        torus->send(problem, step, y1 * columns + x1,
                                    {{1, phase.row_direction, x2}, {0, phase.column_direction, y2}});
    };
    Schedule schedule = empty_schedule(problem, "construct, torus phases");
    for (std::size_t row_tuple = 0; row_tuple < columns / 2; ++row_tuple)
        for (std::size_t column_tuple = 0; column_tuple < rows / 2; ++column_tuple)
            for (std::size_t rotation = 0; rotation < rotations; ++rotation)
                for (const std::size_t direction : {0U, 1U}) {
                    Step& step = schedule.steps.emplace_back();
                    add_phase(step, {row_tuple, column_tuple, rotation, 0, direction});
                    add_phase(step, {row_tuple, column_tuple, rotation, 1, 1 - direction});
                }
    return unless_too_long(problem, std::move(schedule));
}

} // namespace nocturne
