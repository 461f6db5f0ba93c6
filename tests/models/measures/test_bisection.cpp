#include "models/measures/bisection.hpp"
#include "models/measures/metis_bisection.hpp"
#include "tests/catch.hpp"
#include "tests/models/measures/graphs.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

namespace nocturne::bisection_test {

using namespace measures;
using namespace test;
using Catch::Contains;

namespace {

constexpr std::uint64_t plenty = 10'000'000;

std::uint64_t weight_of(const Graph& graph, const std::vector<bool>& is_in_part, bool side)
{
    std::uint64_t weight = 0;
    for (NodeId node = 0; node < graph.node_count(); ++node)
        weight += is_in_part[node] == side ? graph.injecting(node) : 0;
    return weight;
}

/// Parts of so many processors are even enough.
bool is_even(const Graph& graph, Evenness evenness, std::uint64_t weight)
{
    const std::uint64_t total = graph.processor_count();
    const std::uint64_t smaller = std::min(weight, total - weight);
    return evenness == Evenness::halves ? smaller == total / 2 : 5 * smaller >= 2 * total;
}

/// The fewest links between parts that are so even, of all divisions.
std::uint64_t links_by_sets(const Graph& graph, Evenness evenness = Evenness::forty_percent)
{
    std::uint64_t fewest = graph.arc_count() + 1;
    for (std::uint32_t set = 0; set < 1u << graph.node_count(); ++set) {
        std::vector<bool> is_in_first(graph.node_count());
        for (NodeId node = 0; node < graph.node_count(); ++node)
            is_in_first[node] = set >> node & 1;
        if (is_even(graph, evenness, weight_of(graph, is_in_first, true)))
            fewest = std::min(fewest, links_between(graph, is_in_first));
    }
    return fewest;
}

/// Hexagonal cells within a radius of one of them, each linked to its six neighbours.
Graph hexagonal_mesh(int radius)
{
    std::map<std::pair<int, int>, NodeId> cells;
    for (int x = -radius; x <= radius; ++x)
        for (int y = -radius; y <= radius; ++y)
            if (std::abs(x + y) <= radius)
                cells.emplace(std::pair{x, y}, static_cast<NodeId>(cells.size()));
    std::vector<Arc> links;
    for (const auto& [cell, node] : cells)
        for (const auto& [dx, dy] : {std::pair{1, 0}, std::pair{0, 1}, std::pair{1, -1}})
            if (const auto other = cells.find({cell.first + dx, cell.second + dy}); other != cells.end())
                links.push_back({node, other->second});
    return graph_of_links(static_cast<NodeId>(cells.size()), links);
}

} // namespace

TEST_CASE("branch and bound finds the fewest links of all divisions, the heuristic no fewer",
          "[measures][bisection]")
{
    const auto seed = GENERATE(range(1, 25));
    const NodeId nodes = GENERATE(4u, 7u, 10u);
    const Graph undirected = random_links(seed, nodes, 2 * nodes);
    const Graph directed = random_arcs(seed, nodes, 3 * nodes);
    for (const Graph* const graph : {&undirected, &directed})
        for (const Evenness evenness : {Evenness::forty_percent, Evenness::halves}) {
            const std::uint64_t fewest = links_by_sets(*graph, evenness);
            const Bisection heuristic =
                bisection(*graph, {.evenness = evenness, .seed = static_cast<std::uint64_t>(seed)});
            const Bisection exact = bisection(*graph, {.evenness = evenness, .exact_steps = plenty});
            CHECK(exact.is_exact);
            CHECK(exact.links == fewest);
            CHECK_FALSE(heuristic.is_exact);
            CHECK(heuristic.links >= fewest);
            CHECK(heuristic.links <= fewest + 1); // such small ones are easy
            for (const Bisection* const found : {&heuristic, &exact}) {
                CHECK(links_between(*graph, found->is_in_first) == found->links);
                CHECK(is_even(*graph, evenness, weight_of(*graph, found->is_in_first, true)));
                CHECK(found->evenness == evenness);
                CHECK(found->smallest_part == smallest_part(*graph, evenness));
            }
        }
}

TEST_CASE("the halves of hexagons have the links that are printed, parts of 40 % one less",
          "[measures][bisection][print]")
{
    // HexaMesh (Iff and others, DAC 2023), regular arrangements of 37, 61 and 91: 13, 17 and 21.
    for (const int radius : {3, 4, 5}) {
        const Graph hexagon = hexagonal_mesh(radius);
        const auto links = [&](Evenness evenness) {
            return bisection(hexagon, {.evenness = evenness, .starts = 60}).links;
        };
        INFO(hexagon.node_count());
        CHECK(links(Evenness::halves) == static_cast<std::uint64_t>(4 * radius + 1));
        CHECK(links(Evenness::forty_percent) == static_cast<std::uint64_t>(4 * radius));
    }
}

TEST_CASE("a hypercube is cut best across a dimension, a tree above a half", "[measures][bisection]")
{
    // Parts of 40 to 60 % do not make it fewer: subcubes have the fewest links out of sets of their size.
    for (const unsigned n : {2u, 3u, 4u}) {
        const Graph cube = graph_from(("hypercube:" + std::to_string(n)).c_str());
        CHECK(bisection(cube, {.exact_steps = plenty}).links == 1u << (n - 1));
        CHECK(bisection(cube, {.exact_steps = plenty}).is_exact);
    }
    CHECK(bisection(graph_from("fbtree:63")).links == 1);
}

TEST_CASE("processors weigh, switches do not", "[measures][bisection]")
{
    const Graph star = graph_from("star:10");
    CHECK(bisection(star, {.exact_steps = plenty}).links == 4); // four leaves of ten against the others
    const Graph fat = graph_from("fat_octagon:8");
    const Bisection found = bisection(fat, {.exact_steps = plenty});
    CHECK(weight_of(fat, found.is_in_first, true) == 8); // 40 % of 16 are no whole routers below 8
    CHECK(found.links == bisection(graph_from("octagon:8"), {.exact_steps = plenty}).links);
}

TEST_CASE("parts are as even as they can be where none have 40 %", "[measures][bisection]")
{
    CHECK(smallest_part(graph_from("mesh:3")) == 1);
    CHECK(bisection(graph_from("mesh:3")).links == 1);
    const Graph uneven({.nodes = 3,
                        .arcs = {{0, 1}, {1, 0}, {1, 2}, {2, 1}},
                        .processors = {{0, 0}, {0, 0}, {0, 0}, {2, 2}}});
    CHECK(smallest_part(uneven) == 1);
    const Bisection found = bisection(uneven, {.exact_steps = plenty});
    CHECK(found.links == 1);
    CHECK(found.is_in_first[0] != found.is_in_first[2]);
    CHECK(smallest_part(graph_from("ring:64")) == 26);
}

TEST_CASE("a bisection is the same for the same seed, and more starts never make it worse",
          "[measures][bisection]")
{
    const Graph graph = random_links(GENERATE(range(1, 6)), 60, 130);
    CHECK(bisection(graph) == bisection(graph));
    CHECK(bisection(graph, {.starts = 40}).links <= bisection(graph, {.starts = 5}).links);
    CHECK(bisection(graph, {.exact_steps = 1000}).links <= bisection(graph).links);
}

TEST_CASE("what cannot be halved is refused", "[measures][bisection]")
{
    CHECK_THROWS_WITH(bisection(graph_from("omega:8")),
                      Contains("inject and are ejected at different routers"));
    CHECK_THROWS_WITH(bisection(graph_from("fbtree:1")), Contains("fewer than two routers have processors"));
    CHECK_THROWS_WITH(bisection(graph_from("ring:4"), {.starts = 0}), Contains("at least one start"));
}

TEST_CASE(
    "METIS finds even parts with no fewer links than there are, and most often as few, where it is built in",
    "[measures][bisection]")
{
    unsigned found_best = 0, found_any = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Graph graph = random_links(seed, 14, 28);
        const Bisection exact = bisection(graph, {.exact_steps = plenty});
        const std::optional<Bisection> metis = metis_bisection(graph, {.seed = seed});
        if (!metis)
            continue;
        ++found_any;
        found_best += metis->links == exact.links;
        CHECK(metis->links >= exact.links);
        CHECK(metis->links == links_between(graph, metis->is_in_first));
        for (const bool side : {false, true})
            CHECK(weight_of(graph, metis->is_in_first, side) >= smallest_part(graph));
    }
    CHECK(2 * found_best >= found_any);
    CHECK_THROWS_WITH(metis_bisection(graph_from("omega:8")), Contains("inject and are ejected"));
}

} // namespace nocturne::bisection_test
