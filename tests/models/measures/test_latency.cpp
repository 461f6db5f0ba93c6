#include "models/measures/latency.hpp"
#include "tests/catch.hpp"
#include "tests/models/measures/graphs.hpp"

namespace nocturne::measures_latency_test {

using namespace measures;
using namespace test;

namespace {

/// Pair by pair, from the distances of all nodes.
HopLatency latency_by_pairs(const Graph& graph)
{
    const auto hops = all_distances(graph);
    double sum = 0, self_sum = 0, maximum = 0;
    bool self_joined = true;
    HopLatency latency;
    for (std::size_t p = 0; p < graph.processor_count(); ++p)
        for (std::size_t q = 0; q < graph.processor_count(); ++q) {
            const unsigned distance = hops[graph.processors()[p].injection][graph.processors()[q].ejection];
            if (p == q) {
                self_joined = self_joined && distance < unjoined;
                self_sum += distance;
            } else {
                latency.unreachable_pairs += distance >= unjoined;
                sum += distance;
                maximum = std::max(maximum, double(distance));
            }
        }
    const auto n = static_cast<double>(graph.processor_count());
    const bool joined = latency.unreachable_pairs == 0;
    latency.average = joined ? sum / (n * (n - 1)) : infinite;
    latency.average_with_self = joined && self_joined ? (sum + self_sum) / (n * n) : infinite;
    latency.maximum = joined ? maximum : infinite;
    return latency;
}

void check_equal(const HopLatency& latency, const HopLatency& expected)
{
    CHECK(latency.average == Approx(expected.average));
    CHECK(latency.average_with_self == Approx(expected.average_with_self));
    CHECK(latency.maximum == expected.maximum);
    CHECK(latency.unreachable_pairs == expected.unreachable_pairs);
}

} // namespace

TEST_CASE(
    "latencies of networks of long paths, which are searched from one node at a time, are those of all pairs",
    "[measures][latency]")
{
    const NodeId nodes = 257; // one more than are searched from at a time
    const bool is_ring = GENERATE(true, false);
    std::vector<Arc> links;
    for (NodeId node = 0; node + 1 < nodes; ++node)
        links.push_back({node, node + 1});
    if (is_ring)
        links.push_back({nodes - 1, 0});
    for (const Graph& graph : {graph_of_links(nodes, links), graph_of_arcs(nodes, links)}) {
        const SearchSteps steps = search_steps(graph, is_ring ? nodes / 2 : nodes - 1);
        REQUIRE(steps.single < steps.wide);
        check_equal(hop_latency(graph), latency_by_pairs(graph));
    }
    std::vector<Attachment> opposite; // injection and ejection at different nodes, two processors at some
    for (NodeId node = 0; node < nodes; ++node)
        opposite.push_back({node / 2, nodes - 1 - node});
    const Graph indirect(
        {.nodes = nodes, .arcs = {links.begin(), links.end()}, .processors = std::move(opposite)});
    check_equal(hop_latency(indirect), latency_by_pairs(indirect));
}

TEST_CASE("latencies are those of all pairs, one by one", "[measures][latency]")
{
    const auto seed = GENERATE(range(1, 15));
    const NodeId nodes = GENERATE(2u, 5u, 17u, 64u, 65u, 80u);
    check_equal(hop_latency(random_links(seed, nodes, nodes * 2)),
                latency_by_pairs(random_links(seed, nodes, nodes * 2)));
    check_equal(hop_latency(random_arcs(seed, nodes, nodes * 4)),
                latency_by_pairs(random_arcs(seed, nodes, nodes * 4)));
}

TEST_CASE("several processors at a node, none, and others at two nodes are counted one by one",
          "[measures][latency]")
{
    for (const char* spec : {"fat_octagon:8", "star:7", "btree:16", "omega:8", "clos:3,3,4", "benes:2,3",
                             "coated_mesh:3x4", "fattree:8", "kautz:2,3", "star:80", "omega:128"}) {
        INFO(spec);
        check_equal(hop_latency(graph_from(spec)), latency_by_pairs(graph_from(spec)));
    }
    Graph mixed({.nodes = 4,
                 .arcs = {{0, 1}, {1, 2}, {2, 3}, {3, 0}},
                 .processors = {{0, 3}, {0, 0}, {2, 1}, {2, 1}, {3, 3}}});
    check_equal(hop_latency(mixed), latency_by_pairs(mixed));
}

TEST_CASE("a network in parts has infinite latencies, and says how many pairs they keep apart",
          "[measures][latency]")
{
    const std::vector<Arc> links{{0, 1}, {2, 3}};
    const HopLatency latency = hop_latency(graph_of_links(5, links));
    CHECK(latency == HopLatency{infinite, infinite, infinite, 20 - 4});
    const std::vector<Arc> one_way{{0, 1}, {1, 2}};
    CHECK(hop_latency(graph_of_arcs(3, one_way)).unreachable_pairs == 3);
}

TEST_CASE("no processor and a single one have latency 0", "[measures][latency]")
{
    CHECK(hop_latency(Graph()) == HopLatency{});
    CHECK(hop_latency(graph_of_links(1, {})) == HopLatency{});
}

} // namespace nocturne::measures_latency_test
