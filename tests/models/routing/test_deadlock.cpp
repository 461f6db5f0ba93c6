#include "models/routing/deadlock.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "random_networks.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

namespace nocturne::deadlock_test {

TEST_CASE("the check and an independent search agree on random networks", "[routing][deadlock]")
{
    int free = 0;
    int cyclic = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const auto routers = static_cast<unsigned>(3 + seed % 10);
        const auto extra = static_cast<unsigned>(seed % 7);
        const Topology topology = seed % 3 == 0 ? test::random_directed(seed, routers, 2 * routers)
                                                : test::random_connected(seed, routers, extra);
        const Routing routing = shortest_path(topology);
        if (test::has_cycle(test::dependencies_of(topology, routing))) {
            test::require_deadlock(topology, routing);
            ++cyclic;
        } else {
            test::require_deadlock_free(topology, routing);
            ++free;
        }
    }
    CHECK(free > 30);
    CHECK(cyclic > 30);
}

TEST_CASE("the graph holds exactly the dependencies of the routes", "[routing][deadlock]")
{
    const Topology topology = make_topology(GENERATE("ring:6", "kautz:2,2", "mesh:3x3"));
    const Routing routing = shortest_path(topology);
    const DependencyCheck check = check_deadlock(topology, routing);
    const auto expected = test::dependencies_of(topology, routing);
    for (ChannelId a = 0; a < topology.channel_count(); ++a)
        for (ChannelId b = 0; b < topology.channel_count(); ++b)
            REQUIRE(check.dependencies.contains({a}, {b}) == (expected.count({{a, 0}, {b, 0}}) == 1));
    CHECK_FALSE(check.dependencies.contains({0, 1}, {1}));
    CHECK_FALSE(check.dependencies.contains({0}, {100000}));
}

TEST_CASE("only the given pairs count", "[routing][deadlock]")
{
    const Topology ring = test::one_way_circle("circle", 4);
    const Routing routing = shortest_path(ring);
    const std::vector<ProcessorPair> all_but_one{{0, 2}, {1, 3}, {2, 0}};
    CHECK(check_deadlock(ring, routing, all_but_one).deadlock_free());
    CHECK(check_deadlock(ring, routing, all_but_one).dependencies.size() == 3);
    const std::vector<ProcessorPair> all{{0, 2}, {1, 3}, {2, 0}, {3, 1}};
    CHECK_FALSE(check_deadlock(ring, routing, all).deadlock_free());
    CHECK(check_deadlock(ring, routing, std::span<const ProcessorPair>{}).deadlock_free());
}

TEST_CASE("of a routing that varies its fragments count, not what it draws", "[routing][deadlock]")
{
    const Topology ring = test::one_way_circle("circle", 4);
    ObliviousRoutes routes{[](ProcessorId, ProcessorId) { return Route(); }};
    Routing routing{"varies", 1, routes};
    CHECK(check_deadlock(ring, routing).deadlock_free());
    routes.fragments = [](const VisitFragment& visit) {
        for (ChannelId id = 0; id < 4; ++id)
            visit({{id}, {(id + 1) % 4}});
    };
    routing.kind = routes;
    CHECK(check_deadlock(ring, routing).cycle.size() == 4);
    CHECK(check_deadlock(ring, routing, std::span<const ProcessorPair>{}).cycle.size() == 4);
}

TEST_CASE("a cycle is printed on one line that ends where it began", "[routing][deadlock]")
{
    const Topology ring = test::one_way_circle("circle", 3);
    const DependencyCheck check = check_deadlock(ring, shortest_path(ring));
    CHECK(describe(ring, check.cycle) == "0->1 (vc 0) -> 1->2 (vc 0) -> 2->0 (vc 0) -> 0->1 (vc 0)");
    CHECK(describe(ring, {}).empty());
}

TEST_CASE("the cycle is a shortest one, and classes are told apart", "[routing][deadlock]")
{
    // Two circles that share router 0: 0 1 2 3 and 0 4 5. Classes alternate in the smaller one, so that it
    // has to be gone round twice.
    const Topology topology =
        test::direct_network("eight", 6, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {4, 5}, {5, 0}});
    DependencyGraph graph(topology, 2);
    graph.add({{4, 0}, {5, 1}, {6, 0}, {4, 1}, {5, 0}, {6, 1}});
    CHECK(graph.shortest_cycle().empty());
    graph.add({{6, 1}, {4, 0}});
    CHECK(graph.shortest_cycle().size() == 6);
    graph.add({{0, 1}, {1, 1}, {2, 1}, {3, 1}, {0, 1}});
    CHECK(graph.shortest_cycle() == std::vector<Hop>{{0, 1}, {1, 1}, {2, 1}, {3, 1}});
    CHECK(graph.size() == 10);
    CHECK(graph.contains({0, 1}, {1, 1}));
    CHECK_FALSE(graph.contains({0, 0}, {1, 1}));
}

TEST_CASE("a route that is none is refused", "[routing][deadlock]")
{
    const Topology ring = test::one_way_circle("circle", 4);
    DependencyGraph graph(ring, 1);
    CHECK_THROWS_WITH(graph.add({{0}, {2}}),
                      "circle: a route has channel 0 (0->1) directly before channel 2 (2->3)");
    CHECK_THROWS_WITH(graph.add({{0, 1}}), "circle: a route uses class 1 of 1 on channel 0 (0->1)");
    CHECK_THROWS_WITH(graph.add({{0}, {9}}),
                      "circle: a route has channel 0 (0->1) directly before channel 9");
}

} // namespace nocturne::deadlock_test
