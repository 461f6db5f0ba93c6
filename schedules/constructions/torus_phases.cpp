#include "models/topology/generators.hpp"
#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/grid_products.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

/// The tuples of a ring of n nodes, clockwise. Every pattern is a chain.
std::vector<LineTuple> clockwise_tuples(unsigned n)
{
    const unsigned half = n / 2, quarter = n / 4;
    const auto chain = [half](unsigned a, unsigned b) {
        const auto [low, high] = std::minmax(a, b);
        return LinePattern{
            {low, high, 0}, {high, low + half, 0}, {low + half, high + half, 0}, {high + half, low, 0}};
    };
    std::vector<LineTuple> tuples;
    const unsigned turning =
        half - 1; // classes on the circle of the tournament; the last class stays outside
    for (unsigned round = 0; round < turning; ++round) {
        LineTuple& tuple = tuples.emplace_back();
        tuple.push_back(chain(turning, round));
        for (unsigned i = 1; i < quarter; ++i)
            tuple.push_back(chain((round + i) % turning, (round + turning - i) % turning));
    }
    LineTuple& rest = tuples.emplace_back();
    for (unsigned a = 0; a < quarter; ++a) {
        const unsigned b = a + quarter;
        rest.push_back({{a, a + half, 0}, {a + half, a, 0}, {b, b, 0}, {b + half, b + half, 0}});
    }
    return tuples;
}

std::vector<LineTuple> mirrored(std::vector<LineTuple> tuples, unsigned n)
{
    for (LineTuple& tuple : tuples)
        for (LinePattern& pattern : tuple)
            for (LineMove& move : pattern)
                move = {n - 1 - move.from, n - 1 - move.to, 1 - move.direction};
    return tuples;
}

/// The tuples of a ring, clockwise (0) and counter-clockwise (1).
using Directions = std::array<std::vector<LineTuple>, 2>;

Directions make_tuples(unsigned n)
{
    return {clockwise_tuples(n), mirrored(clockwise_tuples(n), n)};
}

/// The torus that these constructions are for; nothing if the problem is on none of them.
std::optional<GridScatter> begin_phases(const Problem& problem, const std::vector<unsigned>& extent,
                                        std::string_view construction)
{
    if (!std::all_of(extent.begin(), extent.end(), [](unsigned n) { return n > 0 && n % 4 == 0; }))
        return std::nullopt;
    return GridScatter::begin(problem, Grid{extent, true}, 2, construction);
}

/// The phases of a torus, one a step; a step has room for two that follow each other.
std::optional<Schedule> each_phase(const Problem& problem, LegOrder order)
{
    const auto& grid = problem.topology.grid();
    if (!grid || grid->extent.size() < 2)
        return std::nullopt;
    auto torus = begin_phases(problem, grid->extent, "construct, torus phases");
    if (!torus)
        return std::nullopt;
    const std::size_t dimensions = grid->extent.size();
    std::vector<Directions> tuples;
    std::vector<std::size_t> tuple_counts;
    for (const unsigned n : grid->extent) {
        tuples.push_back(make_tuples(n));
        tuple_counts.push_back(n / 2);
    }
    const std::size_t longest = *std::max_element(grid->extent.begin(), grid->extent.end());
    const std::size_t all_back = (std::size_t{1} << dimensions) - 1;
    std::vector<std::size_t> tuple(dimensions, 0);
    std::vector<const LineTuple*> phase(dimensions);
    do {
        for (std::size_t shift = 0; shift < longest / 4; ++shift)
            for (std::size_t directions = 0; directions <= all_back / 2; ++directions)
                for (const std::size_t back : {directions, all_back - directions}) {
                    for (std::size_t d = 0; d < dimensions; ++d)
                        phase[d] = &tuples[d][back >> d & 1][tuple[d]];
                    torus->add_step();
                    torus->add_products(phase, shift, order);
                }
    } while (advance(tuple, tuple_counts));
    return std::move(*torus).finish();
}

std::vector<Step> in_pairs(std::vector<Step> phases)
{
    std::vector<Step> steps;
    for (std::size_t i = 0; i < phases.size(); i += 2) {
        Step& step = steps.emplace_back(std::move(phases[i]));
        std::move(phases[i + 1].begin(), phases[i + 1].end(), std::back_inserter(step));
    }
    return steps;
}

/// How far the transfers over missing channels are from these where they begin or end, whichever is nearer;
/// all together.
std::size_t hops_to_missing(const Step& step, const std::vector<ChannelId>& left)
{
    std::size_t hops = 0;
    for (const Transfer& transfer : step)
        for (std::size_t i = 0; i < transfer.path->size(); ++i)
            if (left[(*transfer.path)[i]] == no_channel)
                hops += std::min(i, transfer.path->size() - 1 - i);
    return hops;
}

} // namespace

std::optional<Schedule> ring_phases(const Problem& problem)
{
    const auto n = static_cast<unsigned>(problem.topology.router_count());
    auto ring = begin_phases(problem, {n}, "construct, ring phases");
    if (!ring)
        return std::nullopt;
    const Directions tuples = make_tuples(n);
    for (std::size_t t = 0; t < n / 2; ++t)
        for (std::size_t i = 0; i < n / 4; ++i) {
            ring->add_step();
            for (const std::size_t direction : {0U, 1U})
                ring->add_product(std::array<const LinePattern*, 1>{&tuples[direction][t][i]});
        }
    return std::move(*ring).finish();
}

std::optional<Schedule> torus_phases(const Problem& problem)
{
    auto phases = each_phase(problem, LegOrder::last_first);
    if (!phases)
        return std::nullopt;
    phases->steps = in_pairs(std::move(phases->steps));
    return phases;
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
    auto schedule = each_phase(whole, LegOrder::last_first);
    const auto other = each_phase(whole, LegOrder::first_first);
    if (!schedule || !other)
        return std::nullopt;
    // The grid says that no router is missing, so that they are the same in both.
    std::vector<ChannelId> left(whole.topology.channel_count(), no_channel);
    for (ChannelId id = 0; id < left.size(); ++id)
        for (const ChannelId there : topology.channels_from(whole.topology.channel(id).source))
            if (topology.channel(there).target == whole.topology.channel(id).target)
                left[id] = there;
    for (std::size_t i = 0; i < schedule->steps.size(); ++i) {
        Step& phase = schedule->steps[i];
        if (hops_to_missing(phase, left) < hops_to_missing(other->steps[i], left))
            phase = other->steps[i];
        for (Transfer& transfer : phase)
            for (ChannelId& channel : *transfer.path)
                channel = left[channel];
        std::erase_if(phase, [](const Transfer& transfer) {
            return std::find(transfer.path->begin(), transfer.path->end(), no_channel) !=
                   transfer.path->end();
        });
    }
    schedule->steps = in_pairs(std::move(schedule->steps));
    schedule->topology = topology.name();
    return schedule;
}

} // namespace nocturne
