#include "models/measures/fault_latency.hpp"
#include "models/measures/latency.hpp"
#include "tests/catch.hpp"
#include "tests/models/measures/graphs.hpp"
#include "tests/models/measures/printed_tables.hpp"

namespace nocturne::fault_latency_test {

using namespace measures;
using namespace test;
using Catch::Contains;

namespace {

constexpr const char* tables_6_and_8 = "fault_tolerance";
constexpr const char* average_column = "average latency, single node fault";
constexpr const char* maximum_column = "maximum latency, single node fault";

} // namespace

TEST_CASE("latencies with single failed nodes are as printed", "[measures][faults][print]")
{
    struct Case {
        const char* spec;
        const char* network;
        const char* nodes;
    };
    const auto [spec, network, nodes] =
        GENERATE(Case{"ring:64", "Ring", "64"}, Case{"torus:8x8", "2D-Torus", "64"},
                 Case{"ring:16", "Ring", "16"}, Case{"torus:4x4", "2D-Torus", "16"},
                 Case{"fbtree:63", "Tree-63", "64"}, Case{"fbtree:15", "Tree-15", "16"});
    INFO(spec);
    const FaultLatency latency = single_node_faults(graph_from(spec));
    CHECK(latency.average_with_self ==
          Approx(printed(tables_6_and_8, {network, nodes}, average_column)).margin(0.005));
    CHECK(latency.maximum == printed(tables_6_and_8, {network, nodes}, maximum_column));
}

TEST_CASE("a failed node costs an average over those that are left", "[measures][faults]")
{
    // A ring of 4 becomes a line of 3: distances 1, 1, 2 in both directions.
    const FaultLatency latency = single_node_faults(graph_from("ring:4"));
    CHECK(latency == FaultLatency{8 / 9.0, 8 / 6.0, 2, 4, 0});
    // Of a line of 4 the two in the middle take it apart.
    const FaultLatency line = single_node_faults(graph_from("mesh:4"));
    CHECK(line.trials == 4);
    CHECK(line.disconnected == 2);
    CHECK(line.average == infinite);
    CHECK(line.maximum == infinite);
}

TEST_CASE("single faults do not depend on the numbers of the nodes", "[measures][faults]")
{
    const Graph graph = random_links(GENERATE(range(1, 6)), 12, 40);
    const FaultLatency latency = single_node_faults(graph), again = single_node_faults(renumbered(5, graph));
    CHECK(again.average == Approx(latency.average));
    CHECK(again.maximum == latency.maximum);
    CHECK(again.disconnected == latency.disconnected);
}

TEST_CASE("random faults are the same for the same seed, and others for another", "[measures][faults]")
{
    const Graph torus = graph_from("torus:8x8");
    CHECK(random_faults(torus) == random_faults(torus));
    CHECK_FALSE(random_faults(torus) == random_faults(torus, {.seed = 2}));
}

TEST_CASE("random faults lengthen paths, or take the network apart as print says of ring and tree",
          "[measures][faults][print]")
{
    const char* const column = "average latency, 5 % random faults";
    CHECK(random_faults(graph_from("ring:64")).average == printed(tables_6_and_8, {"Ring", "64"}, column));
    CHECK(random_faults(graph_from("fbtree:63")).average == printed(tables_6_and_8, {"Tree-63"}, column));
    for (const char* spec : {"torus:8x8", "torus:4x4x4"}) {
        const FaultLatency latency = random_faults(graph_from(spec));
        CHECK(latency.trials == 20);
        CHECK(latency.disconnected == 0);
        CHECK(latency.average > hop_latency(graph_from(spec)).average);
        CHECK(latency.maximum >= hop_latency(graph_from(spec)).maximum);
    }
}

TEST_CASE("as many fail as were asked for", "[measures][faults]")
{
    const Graph complete = graph_from("complete:10");
    // Only nodes: what is left is complete again.
    const FaultLatency nodes = random_faults(complete, {.node_fraction = 0.3, .link_fraction = 0});
    CHECK(nodes.average == 1);
    CHECK(nodes.average_with_self == Approx(6 / 7.0));
    // Only links: those pairs are two hops apart.
    const FaultLatency links =
        random_faults(complete, {.node_fraction = 0, .link_fraction = 0.1, .draws = 7});
    CHECK(links.average == Approx((45 + 5) / 45.0)); // 4.5 of 45 links, rounded up
    CHECK(links.trials == 7);
    CHECK(random_faults(complete, {.node_fraction = 0, .link_fraction = 0}).average == 1);
    // A fraction of less than one is one.
    CHECK(random_faults(complete, {.node_fraction = 0, .link_fraction = 1e-6}).average == Approx(46 / 45.0));
    CHECK(random_faults(complete, {.node_fraction = 1, .link_fraction = 1}).average == 0);
    CHECK(random_faults(Graph()).average == 0);
}

TEST_CASE("fractions are from 0 to 1", "[measures][faults]")
{
    CHECK_THROWS_WITH(random_faults(Graph(), {.node_fraction = 1.5}), Contains("1.5 is not from 0 to 1"));
    CHECK_THROWS_WITH(random_faults(Graph(), {.link_fraction = -1}), Contains("-1 is not from 0 to 1"));
}

} // namespace nocturne::fault_latency_test
