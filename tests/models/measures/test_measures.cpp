#include "models/measures/connectivity.hpp"
#include "models/measures/measures.hpp"
#include "tests/catch.hpp"
#include "tests/models/measures/graphs.hpp"

namespace nocturne::measures_test {

using namespace measures;
using namespace test;
using Catch::Contains;

namespace {

std::string left_out_of(const Measures& measures)
{
    std::string text;
    for (const std::string& line : measures.left_out)
        text += line + '\n';
    return text;
}

} // namespace

TEST_CASE("all measures of a torus are there, and each is what its function says", "[measures]")
{
    const Graph torus = graph_from("torus:4x4");
    const std::vector<Position> grid = arrange(Arrangement::grid, 16);
    const Measures measures = measure(torus, {.positions = grid});
    CHECK(measures.left_out.empty());
    CHECK(measures.nodes == 16);
    CHECK(measures.processors == 16);
    CHECK(measures.links == 32);
    CHECK(measures.latency == hop_latency(torus));
    CHECK(measures.bound == moore_bound(16, 4));
    CHECK(measures.contention == moderate_contention(torus));
    CHECK(measures.wires == wire_lengths(torus, grid));
    CHECK(measures.smallest_degree == 4);
    CHECK(measures.edge_connectivity == 4u);
    CHECK(measures.vertex_connectivity == 4u);
    CHECK(measures.bisection.value().links == 8);
    CHECK(measures.bisection.value().is_exact);
    CHECK(measures.spread == path_spread(torus));
    CHECK(measures.single_faults == single_node_faults(torus));
    CHECK(measures.random_faults == random_faults(torus));
}

TEST_CASE("measures do not depend on the numbers of the nodes", "[measures]")
{
    const auto seed = GENERATE(range(1, 6));
    const Graph graph = random_links(seed, 24, 60), other = renumbered(3, graph);
    CHECK(hop_latency(graph) == hop_latency(other));
    CHECK(edge_connectivity(graph) == edge_connectivity(other));
    CHECK(vertex_connectivity(graph) == vertex_connectivity(other));
    const FaultLatency faults = single_node_faults(graph), others = single_node_faults(other);
    CHECK(faults.average == Approx(others.average));
    CHECK(faults.maximum == others.maximum);
    CHECK(faults.disconnected == others.disconnected);
    const Graph tree = graph_from("fbtree:31"); // where there is one path of each pair
    const PathSpread spread = path_spread(tree), again = path_spread(renumbered(seed, tree));
    CHECK(spread.node_deviation == Approx(again.node_deviation));
    CHECK(spread.link_deviation == Approx(again.link_deviation));
}

TEST_CASE("what makes no sense for a network is left out with a reason", "[measures]")
{
    const Measures omega = measure(graph_from("omega:8"));
    CHECK_FALSE(omega.bound);
    CHECK_FALSE(omega.bisection);
    CHECK_FALSE(omega.wires);
    CHECK(omega.latency.average == 2);
    CHECK_THAT(left_out_of(omega),
               Contains("bounds: not every router has exactly one processor\n") &&
                   Contains("bisection: processors inject and are ejected at different") &&
                   Contains("wires: neither positions nor lengths are known\n"));
    CHECK_THAT(left_out_of(measure(graph_from("fbtree:1"))),
               Contains("fewer than two routers have processors"));
}

TEST_CASE("what would take too long is left out with a reason", "[measures]")
{
    std::vector<Arc> star;
    for (NodeId leaf = 1; leaf < 1'300; ++leaf) // and one node that no link leads to: no flow takes long
        star.push_back({0, leaf});
    const Measures large =
        measure(graph_of_links(1'301, star), {.bisection = {.starts = 1}, .most_seconds = 0.04});
    CHECK(large.latency.maximum == infinite);
    CHECK(large.edge_connectivity == 0u);
    CHECK_FALSE(large.random_faults);
    CHECK_FALSE(large.spread);
    CHECK_FALSE(large.single_faults);
    CHECK_FALSE(large.vertex_connectivity);
    CHECK_THAT(left_out_of(large),
               Contains("spread of paths: the network is too large (1301 routers, 2598 channels)"));
}

TEST_CASE("a network in parts is measured, infinite where it must be", "[measures]")
{
    const std::vector<Arc> links{{0, 1}, {2, 3}};
    const Measures parts = measure(graph_of_links(4, links));
    CHECK(parts.latency.average == infinite);
    CHECK(parts.contention.value().maximum == infinite);
    CHECK(parts.edge_connectivity == 0u);
    CHECK(parts.bisection.value().links == 0);
    CHECK(parts.spread == PathSpread{infinite, infinite});
    CHECK(parts.single_faults.value().disconnected == 4);
    CHECK_THROWS_WITH(measure(graph_of_links(4, links), {.positions = {{0, 0}}}),
                      Contains("1 positions for 4 nodes"));
}

} // namespace nocturne::measures_test
