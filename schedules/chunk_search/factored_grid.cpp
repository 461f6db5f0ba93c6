#include "schedules/chunk_search/processor_grid.hpp"
#include "schedules/collective/bandwidth.hpp"

#include <boost/pending/disjoint_sets.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

namespace nocturne {
namespace {

constexpr std::size_t most_members = 1024;
constexpr std::uint16_t far_away = 0xFFFF;

class Sets {
public:
    explicit Sets(std::size_t count) : rank_(count, 0), parent_(count), sets_(rank_.data(), parent_.data())
    {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    }

    void join(std::size_t a, std::size_t b) { sets_.union_set(a, b); }
    std::size_t find(std::size_t one) { return sets_.find_set(one); }

private:
    std::vector<std::size_t> rank_, parent_;
    boost::disjoint_sets<std::size_t*, std::size_t*> sets_;
};

/// The members as nodes, by their positions, and hops that lead both ways as edges.
class MemberGraph {
public:
    MemberGraph(const TimedProblem& problem, const std::vector<NodeId>& members)
        : size_(members.size()), around_(size_), distance_(size_ * size_, far_away)
    {
        for (std::uint32_t a = 0; a < size_; ++a)
            for (std::uint32_t b = a + 1; b < size_; ++b)
                if (are_joined(problem, members[a], members[b]) &&
                    are_joined(problem, members[b], members[a])) {
                    around_[a].emplace_back(b, static_cast<std::uint32_t>(edges_.size()));
                    around_[b].emplace_back(a, static_cast<std::uint32_t>(edges_.size()));
                    edges_.push_back({a, b});
                }
        for (std::uint32_t node = 0; node < size_; ++node)
            find_distances(node);
    }

    bool is_connected() const { return std::ranges::find(distance_, far_away) == distance_.end(); }
    bool is_complete() const { return edges_.size() == size_ * (size_ - 1) / 2; }

    /// By edge: the factor that it belongs to, numbered from 0 in the order of the edges.
    std::vector<std::size_t> factors() const
    {
        Sets sets(edges_.size());
        join_by_distances(sets);
        join_without_square(sets);
        std::vector<std::size_t> factor(edges_.size());
        std::map<std::size_t, std::size_t> numbers;
        for (std::size_t edge = 0; edge < edges_.size(); ++edge)
            factor[edge] = numbers.try_emplace(sets.find(edge), numbers.size()).first->second;
        return factor;
    }

    /// By node: the number of the part that it is in once the edges of the factor are taken out.
    std::vector<std::uint32_t> coordinates(const std::vector<std::size_t>& factors, std::size_t factor) const
    {
        Sets sets(size_);
        for (std::size_t edge = 0; edge < edges_.size(); ++edge)
            if (factors[edge] != factor)
                sets.join(edges_[edge].a, edges_[edge].b);
        std::vector<std::uint32_t> coordinate(size_);
        std::map<std::size_t, std::uint32_t> numbers;
        for (std::size_t node = 0; node < size_; ++node)
            coordinate[node] =
                numbers.try_emplace(sets.find(node), static_cast<std::uint32_t>(numbers.size()))
                    .first->second;
        return coordinate;
    }

private:
    struct Edge {
        std::uint32_t a, b;
    };

    std::uint16_t distance(std::size_t a, std::size_t b) const { return distance_[a * size_ + b]; }

    void find_distances(std::uint32_t source)
    {
        std::uint16_t* const to = distance_.data() + source * size_;
        to[source] = 0;
        std::deque<std::uint32_t> open{source};
        for (; !open.empty(); open.pop_front())
            for (const auto& [next, edge] : around_[open.front()])
                if (to[next] == far_away) {
                    to[next] = static_cast<std::uint16_t>(to[open.front()] + 1);
                    open.push_back(next);
                }
    }

    /// Edges uv and xy belong together if d(u,x) + d(v,y) is not d(u,y) + d(v,x). That of the edges of a
    /// spanning tree with all is enough.
    void join_by_distances(Sets& sets) const
    {
        for (std::uint32_t node = 1; node < size_; ++node) {
            const auto& [before, tree_edge] = *std::ranges::find_if(around_[node], [&](const auto& one) {
                return distance(0, one.first) + 1 == distance(0, node);
            });
            for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
                const auto& [x, y] = edges_[edge];
                if (distance(node, x) + distance(before, y) != distance(node, y) + distance(before, x))
                    sets.join(tree_edge, edge);
            }
        }
    }

    /// Edges to two nodes that have no other common neighbour belong together.
    void join_without_square(Sets& sets) const
    {
        std::vector<std::uint32_t> ways(size_);
        for (std::uint32_t from = 0; from < size_; ++from) {
            std::ranges::fill(ways, 0);
            for (const auto& [middle, first] : around_[from])
                for (const auto& [to, second] : around_[middle])
                    ++ways[to];
            for (const auto& [middle, first] : around_[from])
                for (const auto& [to, second] : around_[middle])
                    if (to != from && ways[to] == 1)
                        sets.join(first, second);
        }
    }

    std::size_t size_;
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> around_; ///< node and edge, by node
    std::vector<Edge> edges_;
    std::vector<std::uint16_t> distance_;
};

} // namespace

std::optional<ProcessorGrid> factored_grid(const TimedProblem& problem)
{
    const std::vector<NodeId> members = members_in(problem.collective);
    if (members.size() < 4 || members.size() > most_members)
        return std::nullopt;
    const MemberGraph graph(problem, members);
    if (graph.is_complete() || !graph.is_connected())
        return std::nullopt;
    const std::vector<std::size_t> factors = graph.factors();
    const std::size_t count = *std::ranges::max_element(factors) + 1;
    if (count < 2)
        return std::nullopt;
    ProcessorGrid grid{{}, std::vector<NodeId>(members.size())};
    std::vector<std::uint32_t> index(members.size(), 0);
    std::uint32_t points = 1;
    for (std::size_t factor = 0; factor < count; ++factor) {
        const std::vector<std::uint32_t> coordinate = graph.coordinates(factors, factor);
        for (std::size_t member = 0; member < members.size(); ++member)
            index[member] += points * coordinate[member];
        grid.sizes.push_back(*std::ranges::max_element(coordinate) + 1);
        points *= grid.sizes.back();
    }
    if (points != members.size())
        return std::nullopt;
    for (std::size_t member = 0; member < members.size(); ++member)
        grid.members[index[member]] = members[member];
    return grid;
}

} // namespace nocturne
