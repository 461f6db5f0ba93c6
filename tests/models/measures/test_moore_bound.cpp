#include "models/measures/latency.hpp"
#include "models/measures/moore_bound.hpp"
#include "tests/catch.hpp"
#include "tests/models/measures/graphs.hpp"

namespace nocturne::moore_bound_test {

using namespace measures;
using namespace test;

TEST_CASE("the bounds on 64 nodes with 3 to 6 links are the sums of the levels of a tree",
          "[measures][moore]")
{
    // 1 + 3 + 6 + 12 + 24 + 18: the last level has 18 nodes, 5 hops away; the others alike.
    CHECK(moore_bound(64, 3).average_with_self == Approx((3 + 12 + 36 + 96 + 90) / 64.0));
    CHECK(moore_bound(64, 4).average_with_self == 2.8125);
    CHECK(moore_bound(64, 5).average_with_self == Approx((5 + 40 + 38 * 3) / 64.0));
    CHECK(moore_bound(64, 6).average_with_self == Approx((6 + 60 + 27 * 3) / 64.0));
    CHECK(moore_bound(64, 3).maximum == 5);
    CHECK(moore_bound(64, 6).maximum == 3);
    CHECK(moore_bound(64, 4).average == Approx(180 / 63.0));
}

TEST_CASE(
    "Moore graphs, complete graphs and rings reach the bounds, and one-way Kautz digraphs of diameter 2",
    "[measures][moore]")
{
    const auto [spec, degree] = GENERATE(table<const char*, unsigned>({{"petersen", 3},
                                                                       {"hoffman_singleton", 7},
                                                                       {"complete:9", 8},
                                                                       {"ring:9", 2},
                                                                       {"ring:12", 2},
                                                                       {"mesh:2", 1},
                                                                       {"kautz:3,2", 3}}));
    const Graph graph = graph_from(spec);
    const HopLatency latency = hop_latency(graph);
    const LatencyBound bound = moore_bound(
        graph.node_count(), degree, graph.is_bidirectional() ? LinkKind::bidirectional : LinkKind::one_way);
    INFO(spec);
    CHECK(bound.average == Approx(latency.average));
    CHECK(bound.average_with_self == Approx(latency.average_with_self));
    CHECK(bound.maximum == latency.maximum);
}

TEST_CASE("no network is below the bounds of its largest degree", "[measures][moore]")
{
    const auto seed = GENERATE(range(1, 30));
    const NodeId nodes = GENERATE(6u, 20u, 70u);
    const Graph undirected = random_links(seed, nodes, nodes * 3);
    const Graph directed = random_arcs(seed, nodes, nodes * 5);
    for (const Graph* const graph : {&undirected, &directed}) {
        std::size_t degree = 0;
        for (NodeId node = 0; node < nodes; ++node)
            degree = std::max(degree, graph->arcs_from(node).size());
        const LatencyBound bound =
            moore_bound(nodes, degree, graph == &directed ? LinkKind::one_way : LinkKind::bidirectional);
        const HopLatency latency = hop_latency(*graph);
        CHECK(bound.average <= latency.average);
        CHECK(bound.average_with_self <= latency.average_with_self);
        CHECK(bound.maximum <= latency.maximum);
    }
}

TEST_CASE("too few links join nothing", "[measures][moore]")
{
    CHECK(moore_bound(3, 1).maximum == infinite);
    CHECK(moore_bound(2, 0).average == infinite);
    CHECK(moore_bound(2, 1) == LatencyBound{0.5, 1, 1});
    CHECK(moore_bound(1, 0) == LatencyBound{});
    CHECK(moore_bound(0, 3) == LatencyBound{});
    CHECK(moore_bound(9, 1, LinkKind::one_way).maximum == 8); // a one-way ring
}

TEST_CASE("bounds on very many nodes do not overflow", "[measures][moore]")
{
    const std::uint64_t nodes = std::uint64_t{1} << 62;
    CHECK(moore_bound(nodes, nodes / 2).maximum == 2);
    CHECK(moore_bound(nodes, 3).maximum == 61);
}

} // namespace nocturne::moore_bound_test
