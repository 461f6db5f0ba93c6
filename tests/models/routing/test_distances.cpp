#include "models/routing/distances.hpp"
#include "models/topology/make_topology.hpp"
#include "random_networks.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <cstdlib>

namespace nocturne::distances_test {

TEST_CASE("distances on a mesh are those of the taxicab", "[routing][distances]")
{
    const Topology mesh = make_topology("mesh:5x7");
    const RouterId end = GENERATE(0u, 17u, 34u);
    const auto distance = distances_to(mesh, end);
    for (RouterId id = 0; id < 35; ++id)
        CHECK(int(distance[id]) ==
              std::abs(int(id / 7) - int(end / 7)) + std::abs(int(id % 7) - int(end % 7)));
    CHECK(distances_from(mesh, end) == distance);
}

TEST_CASE("on one-way channels distances depend on the direction", "[routing][distances]")
{
    const Topology line = test::direct_network("line", 3, {{0, 1}, {1, 2}});
    CHECK(distances_to(line, 2) == std::vector<std::uint32_t>{2, 1, 0});
    CHECK(distances_from(line, 2) == std::vector<std::uint32_t>{unreachable, unreachable, 0});
    CHECK(distances_from(line, 0) == std::vector<std::uint32_t>{0, 1, 2});
    CHECK_THROWS_WITH(distances_to(line, 3), "line: router 3 does not exist");
}

TEST_CASE("to and from are the same distances, read from the two ends", "[routing][distances]")
{
    const Topology topology = test::random_directed(GENERATE(range(0u, 20u)), 15, 12);
    for (RouterId a = 0; a < 15; ++a) {
        const auto from = distances_from(topology, a);
        for (RouterId b = 0; b < 15; ++b)
            REQUIRE(from[b] == distances_to(topology, b)[a]);
    }
}

TEST_CASE("the ends of a message's way are those of its processors", "[routing][distances]")
{
    Topology topology("pair");
    topology.add_router();
    topology.add_router();
    topology.add_processor(0, 1);
    topology.add_processor(1, 0);
    CHECK(endpoints(topology, 0, 1).source == 0);
    CHECK(endpoints(topology, 0, 1).destination == 0);
    CHECK(endpoints(topology, 0, 0).destination == 1);
    CHECK_THROWS_WITH(endpoints(topology, 0, 2), "pair: processor 2 does not exist");
}

} // namespace nocturne::distances_test
