#include "models/measures/fault_latency.hpp"
#include "models/measures/latency.hpp"
#include "tests/catch.hpp"
#include "tests/models/measures/graphs.hpp"

namespace nocturne::fault_latency_test {

using namespace measures;
using namespace test;
using Catch::Contains;

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

TEST_CASE("random faults are the same for the same seed, and others for another", "[measures][faults]")
{
    const Graph torus = graph_from("torus:8x8");
    CHECK(random_faults(torus) == random_faults(torus));
    CHECK_FALSE(random_faults(torus) == random_faults(torus, {.seed = 2}));
}

TEST_CASE("random faults lengthen the paths of tori", "[measures][faults]")
{
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
