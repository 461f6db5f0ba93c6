#include "schedules/constructions/constructions.hpp"
#include "schedules/constructions/grid_products.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace nocturne {
namespace {

/// The colour of the move from a to b on a line of n nodes.
unsigned colour_of(unsigned n, unsigned a, unsigned b)
{
    const unsigned half = n / 2;
    const unsigned from = std::min(a, n - 1 - a), to = std::min(b, n - 1 - b);
    const unsigned turns = std::max(from, to) + ((a < half) != (b < half) ? 1 : 0);
    return (n + from - to + half * turns) % n;
}

/// The moves of one colour as patterns: each move goes to the first that is free from where it begins.
LineTuple patterns_of(std::vector<LineMove> moves)
{
    const auto low = [](const LineMove& move) { return std::min(move.from, move.to); };
    std::ranges::sort(moves, [&](const LineMove& a, const LineMove& b) { return low(a) < low(b); });
    LineTuple patterns(1);
    std::array<std::vector<unsigned>, 2> free_from; // by direction and pattern
    for (const LineMove& move : moves) {
        if (move.from == move.to) {
            patterns[0].push_back(move);
            continue;
        }
        auto& free = free_from[move.direction];
        std::size_t place = 0;
        while (place < free.size() && free[place] > low(move))
            ++place;
        if (place == free.size())
            free.push_back(0);
        free[place] = std::max(move.from, move.to);
        if (place == patterns.size())
            patterns.emplace_back();
        patterns[place].push_back(move);
    }
    return patterns;
}

std::vector<LineTuple> line_tuples(unsigned n)
{
    std::vector<std::vector<LineMove>> colours(n);
    for (unsigned a = 0; a < n; ++a)
        for (unsigned b = 0; b < n; ++b)
            colours[colour_of(n, a, b)].push_back({a, b, a < b ? 0U : 1U});
    std::vector<LineTuple> tuples;
    for (std::vector<LineMove>& moves : colours)
        tuples.push_back(patterns_of(std::move(moves)));
    return tuples;
}

} // namespace

std::optional<Schedule> mesh_phases(const Problem& problem)
{
    const auto& grid = problem.topology.grid();
    if (!grid || grid->wraps || grid->extent.size() < 2 || *std::ranges::max_element(grid->extent) < 4 ||
        std::ranges::any_of(grid->extent, [](unsigned n) { return n % 2 != 0; }))
        return std::nullopt;
    auto mesh = GridScatter::begin(problem, *grid, 1, "construct, mesh phases");
    if (!mesh)
        return std::nullopt;
    std::vector<std::vector<LineTuple>> tuples;
    std::vector<std::size_t> colours;
    for (const unsigned n : grid->extent) {
        tuples.push_back(line_tuples(n));
        colours.push_back(n);
    }
    std::vector<std::size_t> colour(colours.size(), 0);
    std::vector<const LineTuple*> phase(colours.size());
    do {
        std::size_t steps = 0;
        for (std::size_t d = 0; d < phase.size(); ++d) {
            phase[d] = &tuples[d][colour[d]];
            steps = std::max(steps, phase[d]->size());
        }
        for (std::size_t shift = 0; shift < steps; ++shift) {
            mesh->add_step();
            mesh->add_products(phase, shift);
        }
    } while (advance(colour, colours));
    return std::move(*mesh).finish();
}

} // namespace nocturne
