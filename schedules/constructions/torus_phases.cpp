#include "schedules/constructions/torus_phases.hpp"

#include "models/topology/grid_networks.hpp"
#include "schedules/constructions/network_shape.hpp"
#include "schedules/schedule/empty_schedule.hpp"
#include "schedules/schedule/validator.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <tuple>
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

    RouterId router(std::span<const unsigned> coordinates) const
    {
        return std::inner_product(coordinates.begin(), coordinates.end(), stride_.begin(), RouterId{0});
    }

    /// Adds the transfer that starts at a router, unless it is one to itself.
    void send(const Problem& problem, Step& step, RouterId from, std::span<const Leg> legs) const
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

/// One way to send in all dimensions, by dimension.
struct Phase {
    std::vector<const Tuple*> tuples;
    std::vector<std::size_t> directions;
    std::size_t longest; ///< dimension whose chain follows from those of the others
    std::size_t shift;
};

/// Counts up `digits` in the mixed radix `sizes`, the last one fastest; false when it is back at zeros.
bool advance(std::vector<std::size_t>& digits, const std::vector<std::size_t>& sizes)
{
    for (std::size_t d = digits.size(); d-- > 0; digits[d] = 0)
        if (++digits[d] < sizes[d])
            return true;
    return false;
}

/// Adds the messages of a product of chains, the dimensions crossed from the last one to the first.
void send_product(const Torus& torus, const Problem& problem, Step& step,
                  const std::vector<const Chain*>& chains, const std::vector<std::size_t>& directions)
{
    const std::size_t dimensions = chains.size();
    std::vector<std::size_t> move(dimensions, 0);
    std::vector<unsigned> from(dimensions);
    std::vector<Leg> legs(dimensions);
    do {
        for (std::size_t d = 0; d < dimensions; ++d) {
            const auto [begin, end] = (*chains[d])[move[d]];
            from[d] = begin;
            legs[dimensions - 1 - d] = {d, directions[d], end};
        }
        torus.send(problem, step, torus.router(from), legs);
    } while (advance(move, std::vector<std::size_t>(dimensions, std::tuple_size_v<Chain>)));
}

void add_phase(const Torus& torus, const Problem& problem, Step& step, const Phase& phase)
{
    const std::size_t dimensions = phase.tuples.size();
    std::vector<std::size_t> sizes;
    for (const Tuple* const tuple : phase.tuples)
        sizes.push_back(tuple->size());
    const std::size_t longest = sizes[phase.longest];
    sizes[phase.longest] = 1;
    std::vector<std::size_t> index(dimensions, 0);
    std::vector<const Chain*> chains(dimensions);
    do {
        const std::size_t sum = std::accumulate(index.begin(), index.end(), phase.shift);
        for (std::size_t d = 0; d < dimensions; ++d)
            chains[d] = &(*phase.tuples[d])[d == phase.longest ? sum % longest : index[d]];
        send_product(torus, problem, step, chains, phase.directions);
    } while (advance(index, sizes));
}

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
                    ring->send(problem, step, from, std::array{Leg{0, direction, to}});
        }
    return unless_too_long(problem, std::move(schedule));
}

std::optional<Schedule> torus_phases(const Problem& problem)
{
    const auto& grid = problem.topology.grid();
    if (!grid || grid->extent.size() < 2)
        return std::nullopt;
    const auto torus = recognise(problem, grid->extent);
    if (!torus)
        return std::nullopt;
    const std::vector<unsigned>& extent = grid->extent;
    const std::size_t dimensions = extent.size();
    std::vector<Directions> tuples;
    std::vector<std::size_t> tuple_counts;
    for (const unsigned n : extent) {
        tuples.push_back(make_tuples(n));
        tuple_counts.push_back(n / 2);
    }
    const auto longest =
        static_cast<std::size_t>(std::max_element(extent.begin(), extent.end()) - extent.begin());
    const auto phase = [&](const std::vector<std::size_t>& tuple, std::size_t shift, std::size_t directions) {
        Phase result{std::vector<const Tuple*>(dimensions), std::vector<std::size_t>(dimensions), longest,
                     shift};
        for (std::size_t d = 0; d < dimensions; ++d) {
            result.directions[d] = directions >> d & 1;
            result.tuples[d] = &tuples[d][result.directions[d]][tuple[d]];
        }
        return result;
    };
    Schedule schedule = empty_schedule(problem, "construct, torus phases");
    const std::size_t all_back = (std::size_t{1} << dimensions) - 1;
    std::vector<std::size_t> tuple(dimensions, 0);
    do {
        for (std::size_t shift = 0; shift < extent[longest] / 4; ++shift)
            for (std::size_t directions = 0; directions <= all_back / 2; ++directions) {
                Step& step = schedule.steps.emplace_back();
                add_phase(*torus, problem, step, phase(tuple, shift, directions));
                add_phase(*torus, problem, step, phase(tuple, shift, all_back - directions));
            }
    } while (advance(tuple, tuple_counts));
    return unless_too_long(problem, std::move(schedule));
}

std::optional<Schedule> surviving_torus_phases(const Problem& problem)
{
    const Topology& topology = problem.topology;
    if (!topology.grid() || !topology.grid()->wraps)
        return std::nullopt;
    Problem whole = problem;
    whole.topology = make_torus(topology.grid()->extent);
    if (whole.topology.channel_count() <= topology.channel_count())
        return std::nullopt;
    auto schedule = torus_phases(whole);
    if (!schedule)
        return std::nullopt;
    // The grid says that no router is missing, so that they are the same in both.
    std::vector<ChannelId> left(whole.topology.channel_count(), no_channel);
    for (ChannelId id = 0; id < left.size(); ++id)
        for (const ChannelId other : topology.channels_from(whole.topology.channel(id).source))
            if (topology.channel(other).target == whole.topology.channel(id).target)
                left[id] = other;
    for (Step& step : schedule->steps) {
        for (Transfer& transfer : step)
            for (ChannelId& channel : *transfer.path)
                channel = left[channel];
        std::erase_if(step, [](const Transfer& transfer) {
            return std::find(transfer.path->begin(), transfer.path->end(), no_channel) !=
                   transfer.path->end();
        });
    }
    schedule->topology = topology.name();
    return schedule;
}

} // namespace nocturne
