#include "schedules/chunk_search/processor_grid.hpp"
#include "schedules/collective/bandwidth.hpp"
#include "tests/catch.hpp"
#include "tests/schedules/chunk_search/link_networks.hpp"

#include <algorithm>
#include <numeric>
#include <set>

using namespace nocturne;

namespace {

/// A connected graph of so many nodes: a random tree and some more edges.
std::set<std::pair<NodeId, NodeId>> random_graph(SplitMix64& random, NodeId nodes)
{
    std::set<std::pair<NodeId, NodeId>> edges;
    for (NodeId node = 1; node < nodes; ++node)
        edges.emplace(static_cast<NodeId>(random.below(node)), node);
    for (std::uint64_t more = random.below(3); more > 0; --more) {
        const auto a = static_cast<NodeId>(random.below(nodes)), b = static_cast<NodeId>(random.below(nodes));
        if (a != b)
            edges.emplace(std::minmax(a, b));
    }
    return edges;
}

/// The product of two to three random graphs, its nodes numbered anew at random.
LinkNetwork random_product(SplitMix64& random, std::vector<std::uint32_t>& sizes)
{
    sizes.clear();
    std::vector<std::set<std::pair<NodeId, NodeId>>> graphs;
    NodeId nodes = 1;
    for (std::uint64_t factor = 2 + random.below(2); factor > 0; --factor) {
        sizes.push_back(static_cast<std::uint32_t>(2 + random.below(4)));
        graphs.push_back(random_graph(random, sizes.back()));
        nodes *= sizes.back();
    }
    std::vector<NodeId> number(nodes);
    std::iota(number.begin(), number.end(), NodeId{0});
    for (NodeId node = nodes; node > 1; --node)
        std::swap(number[node - 1], number[random.below(node)]);
    LinkNetwork network("product", nodes);
    NodeId stride = 1;
    for (std::size_t factor = 0; factor < sizes.size(); ++factor) {
        for (NodeId node = 0; node < nodes; ++node)
            for (const auto& [a, b] : graphs[factor])
                if (node / stride % sizes[factor] == a)
                    network.add_links(number[node], number[node + (b - a) * stride], 4, 1);
        stride *= sizes[factor];
    }
    return network;
}

TimedProblem all_to_all_hops(const LinkNetwork& network, const Collective& collective)
{
    return make_timed_problem(network, collective, {.bytes_per_weight = 1}, 4);
}

} // namespace

TEST_CASE("a torus, a mesh, a hypercube and rails are grids of their dimensions", "[chunk_search][grid]")
{
    struct Row {
        LinkNetwork network;
        std::vector<std::uint32_t> sizes;
    };
    const auto torus = [](std::vector<std::uint32_t> sides, bool wraps) {
        const std::vector<std::uint64_t> bandwidths(sides.size(), 4);
        return test::grid({std::move(sides), bandwidths, 1, wraps});
    };
    // A ring of four is two dimensions of two: the only one that is a product. A DGX-1 is two quads.
    const Row row = GENERATE_COPY(Row{torus({5, 6}, true), {5, 6}}, Row{torus({3, 7}, false), {3, 7}},
                                  Row{torus({4, 4, 4}, true), {2, 2, 2, 2, 2, 2}},
                                  Row{torus({2, 2, 2}, false), {2, 2, 2}}, Row{test::rails(3, 4), {3, 4}},
                                  Row{torus({9}, true), {}}, Row{test::dgx1(), {2, 4}});
    const Collective owed = allgather({.processors = row.network.processor_count()});
    const auto grid = factored_grid(all_to_all_hops(row.network, owed));
    CAPTURE(row.network.name());
    REQUIRE(grid.has_value() == !row.sizes.empty());
    if (grid) {
        auto sizes = grid->sizes;
        std::ranges::sort(sizes);
        CHECK(sizes == row.sizes);
    }
}

TEST_CASE("the factors of a product of graphs are found, whatever its nodes are called",
          "[chunk_search][grid]")
{
    const unsigned seed = GENERATE(range(1u, 61u));
    SplitMix64 random(seed);
    std::vector<std::uint32_t> sizes;
    const LinkNetwork network = random_product(random, sizes);
    const Collective owed = allgather({.processors = network.processor_count()});
    const TimedProblem problem = all_to_all_hops(network, owed);
    const auto grid = factored_grid(problem);
    CAPTURE(seed, sizes);
    REQUIRE(grid);
    CHECK(grid->sizes.size() >= sizes.size()); // one that was drawn may be a product itself
    auto members = grid->members;
    std::ranges::sort(members);
    CHECK(members == members_in(owed));
    // Joined are those that differ in one coordinate, if they would be on any other line of the dimension.
    const auto count = static_cast<std::uint32_t>(grid->members.size());
    for (std::uint32_t a = 0; a < count; ++a)
        for (std::uint32_t b = 0; b < count; ++b) {
            std::vector<std::size_t> differing;
            for (std::size_t dimension = 0; dimension < grid->sizes.size(); ++dimension)
                if (grid->coordinate(a, dimension) != grid->coordinate(b, dimension))
                    differing.push_back(dimension);
            if (differing.size() != 1) {
                if (a != b && are_joined(problem, grid->members[a], grid->members[b]))
                    FAIL("a hop that is no line: " << a << ' ' << b);
                continue;
            }
            const std::size_t along = differing.front();
            const std::uint32_t first = grid->moved(0, along, grid->coordinate(a, along)),
                                second = grid->moved(0, along, grid->coordinate(b, along));
            if (are_joined(problem, grid->members[a], grid->members[b]) !=
                are_joined(problem, grid->members[first], grid->members[second]))
                FAIL("lines of a dimension that differ: " << a << ' ' << b);
        }
}
