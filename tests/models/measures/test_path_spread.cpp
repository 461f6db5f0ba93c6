#include "models/measures/deviation.hpp"
#include "models/measures/latency.hpp"
#include "models/measures/path_spread.hpp"
#include "tests/catch.hpp"
#include "tests/models/measures/graphs.hpp"

#include <numeric>

namespace nocturne::path_spread_test {

using namespace measures;
using namespace test;

namespace {

std::uint64_t sum_of(const std::vector<std::uint64_t>& values)
{
    return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

} // namespace

TEST_CASE("steps of the paths are the arcs into the nodes between each pair", "[measures][paths]")
{
    const char* const spec = GENERATE("ring:9", "torus:4x5", "hypercube:4", "debruijn:2,3");
    const Graph graph = graph_from(spec);
    const auto hops = all_distances(graph);
    double all = 0;
    std::vector<double> by_source(graph.node_count());
    for (NodeId from = 0; from < graph.node_count(); ++from)
        for (NodeId to = 0; to < graph.node_count(); ++to)
            for (NodeId node = 0; node < graph.node_count() && to != from; ++node)
                if (hops[from][node] + hops[node][to] == hops[from][to])
                    by_source[from] += static_cast<double>(graph.arcs_to(node).size());
    for (unsigned sample = 0; sample < 4; ++sample)
        all += by_source[sample * graph.node_count() / 4] / 4 * graph.node_count();
    CHECK(path_steps(graph, 1e9) == Approx(all));
    CHECK(path_steps(graph, all / 2) > all / 2);
}

TEST_CASE("paths of 32 hops in a ring of 64 go one way round, so links have 528 or 496", "[measures][paths]")
{
    const PathSpread large = path_spread(graph_from("ring:64")); // 16.00 in print
    CHECK(large.node_deviation == Approx(0).margin(1e-9));
    CHECK(large.link_deviation == Approx(16 * std::sqrt(128 / 127.0)));
}

TEST_CASE("paths have as many arcs as there are hops, and one node more", "[measures][paths]")
{
    const auto seed = GENERATE(range(1, 20));
    const Graph graph = random_links(seed, 12, 30);
    const PathCounts counts = least_used_paths(graph);
    const HopLatency latency = hop_latency(graph);
    CHECK(counts.missing == latency.unreachable_pairs);
    if (counts.missing == 0) {
        CHECK(sum_of(counts.arcs) == static_cast<std::uint64_t>(std::llround(latency.average * 12 * 11)));
        CHECK(sum_of(counts.nodes) == sum_of(counts.arcs) + 12 * 11);
    } else {
        CHECK(path_spread(counts) == PathSpread{infinite, infinite});
    }
}

TEST_CASE("a path takes the less used of two", "[measures][paths]")
{
    // From 0 two ways lead to 3; one of them is also the only one to 4.
    const std::vector<Arc> arcs{{0, 1}, {0, 2}, {1, 4}, {1, 3}, {2, 3}};
    GraphParts parts{.nodes = 5, .arcs = arcs, .processors = {{0, 0}, {4, 4}, {3, 3}}};
    const PathCounts counts = least_used_paths(Graph(parts));
    CHECK(counts.arcs == std::vector<std::uint64_t>{1, 1, 1, 0, 1});
    CHECK(counts.nodes == std::vector<std::uint64_t>{2, 1, 1, 1, 1});
    CHECK(counts.missing == 4);
}

TEST_CASE("every processor of a node has paths of its own", "[measures][paths]")
{
    const std::vector<std::uint64_t> slim = least_used_paths(graph_from("octagon:8")).arcs;
    const std::vector<std::uint64_t> fat = least_used_paths(graph_from("fat_octagon:8")).arcs;
    for (std::size_t i = 0; i < slim.size(); ++i)
        CHECK(fat[i] == 4 * slim[i]);
}

TEST_CASE("a multistage network has a path for each pair of its ends", "[measures][paths]")
{
    const PathCounts counts = least_used_paths(graph_from("omega:8"));
    CHECK(counts.missing == 0);
    CHECK(sum_of(counts.arcs) == 8 * 8 * 2);
    CHECK(path_spread(counts).link_deviation == 0);
}

TEST_CASE("a sample deviation divides by one less than the count", "[measures][paths]")
{
    CHECK(sample_deviation(std::vector<std::uint64_t>{1, 3}) == Approx(std::sqrt(2.0)));
    CHECK(sample_deviation(std::vector<std::uint64_t>{7}) == 0);
    CHECK(sample_deviation({}) == 0);
}

} // namespace nocturne::path_spread_test
