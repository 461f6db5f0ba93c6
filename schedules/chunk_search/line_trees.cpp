#include "schedules/chunk_search/line_trees.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace nocturne {

std::uint32_t deepest(const std::vector<LineTree>& trees)
{
    std::uint32_t most = 0;
    for (const LineTree& tree : trees)
        most = std::max(most, *std::ranges::max_element(tree.depth));
    return most;
}

std::vector<LineTree> quickest_trees(const ProcessorGrid& grid, std::size_t dimension,
                                     const TimedProblem& problem)
{
    constexpr double not_reached = std::numeric_limits<double>::infinity();
    const std::uint32_t size = grid.sizes[dimension];
    const auto cycles_between = [&](std::uint32_t from, std::uint32_t to) {
        double least = not_reached;
        for (const std::uint32_t hop : hops_between(problem, grid.members[grid.moved(0, dimension, from)],
                                                    grid.members[grid.moved(0, dimension, to)]))
            least =
                std::min(least, problem.times[hop].of(problem.cost.bytes_per_weight, problem.cost).duration);
        return least;
    };
    std::vector<double> cycles(std::size_t{size} * size, not_reached);
    for (std::uint32_t from = 0; from < size; ++from)
        for (std::uint32_t to = 0; to < size; ++to)
            if (from != to)
                cycles[from * size + to] = std::max(cycles_between(from, to), cycles_between(to, from));
    std::vector<LineTree> trees;
    std::vector<std::uint32_t> uses(std::size_t{size} * size, 0); // of several quickest ways the rarest
    for (std::uint32_t source = 0; source < size; ++source) {
        LineTree tree{std::vector<std::uint32_t>(size, source), std::vector<std::uint32_t>(size, 0)};
        std::vector<double> reached(size, not_reached);
        std::vector<bool> is_done(size, false);
        reached[source] = 0;
        for (std::uint32_t done = 0; done < size; ++done) {
            std::uint32_t next = size;
            for (std::uint32_t one = 0; one < size; ++one)
                if (!is_done[one] && (next == size || reached[one] < reached[next]))
                    next = one;
            is_done[next] = true;
            for (std::uint32_t other = 0; other < size; ++other) {
                const double then = reached[next] + cycles[next * size + other];
                const auto is_rarer = [&] {
                    return uses[next * size + other] < uses[tree.before[other] * size + other];
                };
                if (is_done[other] || then == not_reached || then > reached[other] ||
                    (then == reached[other] && !is_rarer()))
                    continue;
                reached[other] = then;
                tree.depth[other] = tree.depth[next] + 1;
                tree.before[other] = next;
            }
        }
        for (std::uint32_t other = 0; other < size; ++other)
            ++uses[tree.before[other] * size + other];
        trees.push_back(std::move(tree));
    }
    return trees;
}

} // namespace nocturne
