#include "models/measures/contention.hpp"
#include "models/measures/latency.hpp"
#include "tests/catch.hpp"
#include "tests/models/measures/graphs.hpp"

#include <numeric>

namespace nocturne::contention_test {

using namespace measures;
using namespace test;

namespace {

std::uint64_t hops_in(const Contention& contention)
{
    return std::accumulate(contention.messages.begin(), contention.messages.end(), std::uint64_t{0});
}

} // namespace

TEST_CASE("the hops are those of the messages on all links, and never fewer than the shortest",
          "[measures][contention]")
{
    const Graph graph = random_links(GENERATE(range(1, 15)), 14, 35);
    const Contention contention = moderate_contention(graph);
    const HopLatency latency = hop_latency(graph);
    CHECK((contention.average == infinite) == (latency.unreachable_pairs > 0));
    CHECK(contention.average >= latency.average);
    CHECK(contention.maximum >= latency.maximum);
    if (latency.unreachable_pairs == 0)
        CHECK(contention.average * 14 * 13 == Approx(double(hops_in(contention))));
}

TEST_CASE("the first source is not held up, a later one goes around it", "[measures][contention]")
{
    // 0 and 1 send to 2 over the arc 3->2, which 0 takes first: it is free for 1 in cycle 1, when 1 gets
    // there. The third source waits until cycle 2, or takes the detour over 5, which is as long as that.
    const std::vector<Arc> arcs{{0, 3}, {1, 3}, {4, 3}, {3, 2}, {3, 5}, {5, 2}};
    GraphParts parts{.nodes = 6, .arcs = arcs, .processors = {{0, 2}, {1, 2}, {4, 2}}};
    const Contention contention = moderate_contention(Graph(parts));
    CHECK(contention.messages == std::vector<std::uint64_t>{2, 2, 2, 6, 0, 0});
    // Two more sources in front of it: now the detour is faster.
    parts.processors.insert(parts.processors.begin(), {{0, 2}, {1, 2}});
    const Contention busy = moderate_contention(Graph(parts));
    CHECK(busy.messages == std::vector<std::uint64_t>{8, 8, 4, 16, 4, 4});
    CHECK(busy.maximum == 3);
}

TEST_CASE("of several processors at a node each has its turn", "[measures][contention]")
{
    const Contention fat = moderate_contention(graph_from("fat_octagon:8"));
    CHECK(fat.average >= hop_latency(graph_from("fat_octagon:8")).average);
    CHECK(fat.average * 16 * 15 == Approx(double(hops_in(fat))));
    const Contention omega = moderate_contention(graph_from("omega:8"));
    CHECK(omega.average == 2); // one path for each pair
    CHECK(hops_in(omega) == 8 * 7 * 2);
}

TEST_CASE("a complete network has no contention to go around", "[measures][contention]")
{
    const Contention complete = moderate_contention(graph_from("complete:6"));
    CHECK(complete.average == 1);
    CHECK(complete.link_deviation == 0);
    CHECK(moderate_contention(graph_from("fbtree:63")).link_deviation ==
          Approx(229.65).margin(0.005)); // table 5
    CHECK(moderate_contention(Graph()) == Contention{});
}

} // namespace nocturne::contention_test
