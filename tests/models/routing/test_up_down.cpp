#include "models/routing/routings.hpp"
#include "models/topology/make_topology.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <map>

namespace nocturne::up_down_test {

TEST_CASE("a route is the shortest of the legal ones", "[routing][updown]")
{
    // All routers of a ring are alike, so router 0 is the root and 3 the deepest. What would pass below 3
    // from 2 to 4 goes down and up again: only these two have to go round the other way.
    const Topology ring = make_topology("ring:6");
    const Routing routing = up_down(ring);
    for (ProcessorId source = 0; source < 6; ++source)
        for (ProcessorId destination = 0; destination < 6; ++destination) {
            const unsigned forward = (destination + 6 - source) % 6;
            const bool below = (source == 2 && destination == 4) || (source == 4 && destination == 2);
            CHECK(routing.route(source, destination).size() == (below ? 4 : std::min(forward, 6 - forward)));
        }
}

TEST_CASE("the root is central: trees and meshes are not routed over a corner", "[routing][updown]")
{
    // In a mesh of odd sides the centre lies on a minimal legal path between opposite corners.
    const Topology mesh = make_topology("mesh:5x5");
    const Routing routing = up_down(mesh);
    for (const auto& [source, destination] : {std::pair{0u, 24u}, {4u, 20u}, {20u, 4u}, {24u, 0u}}) {
        const Route route = routing.route(source, destination);
        CHECK(route.size() == 8);
        const auto routers = routers_of(mesh, source, test::path_of(route));
        CHECK(routers[4] == 12);
    }
}

TEST_CASE("up*/down* says where no legal path is", "[routing][updown]")
{
    const Topology one_way = test::one_way_circle("one way", 4);
    const Routing routing = up_down(one_way);
    std::vector<std::string> refused;
    for (ProcessorId source = 0; source < 4; ++source)
        for (ProcessorId destination = 0; destination < 4; ++destination)
            try {
                const Route route = routing.route(source, destination);
                CHECK(connects(one_way, source, destination, test::path_of(route)));
            } catch (const std::invalid_argument& error) {
                refused.emplace_back(error.what());
            }
    // The order is 0, 1, 3, 2: down from 0 over 1 to 2, up over 3 to 0. Down and up again is not legal.
    CHECK(refused == std::vector<std::string>{"one way: no up*/down* path from processor 0 to processor 3",
                                              "one way: no up*/down* path from processor 1 to processor 0",
                                              "one way: no up*/down* path from processor 1 to processor 3"});

    CHECK_THROWS_WITH(up_down(Topology("nothing")), "nothing: no router to be the root of up*/down* routing");
    CHECK_THROWS_WITH(routing.route(4, 0), "one way: processor 4 does not exist");
}

TEST_CASE("up*/down* serves the parts of a network that fell apart", "[routing][updown]")
{
    const Topology parts = test::direct_network("parts", 5, test::both_ways({{0, 1}, {2, 3}, {3, 4}}));
    const Routing routing = up_down(parts);
    CHECK(routing.route(1, 0).size() == 1);
    CHECK(routing.route(2, 4).size() == 2);
    CHECK_THROWS_WITH(routing.route(1, 2), "parts: no up*/down* path from processor 1 to processor 2");
}

TEST_CASE("nca draws all roots alike, from its seed", "[routing][nca]")
{
    const Topology tree = make_topology("fattree:16");
    const Routing routing = nearest_common_ancestor(tree, 1);
    std::map<RouterId, int> tops;
    for (int i = 0; i < 4000; ++i)
        ++tops[tree.channel(routing.route(0, 15)[2].channel).target];
    REQUIRE(tops.size() == 8);
    for (const auto& [top, count] : tops)
        CHECK(count == Approx(500).margin(120)); // more than five standard deviations
}

TEST_CASE("nca is refused where there are no levels", "[routing][nca]")
{
    Topology apart = test::direct_network("apart", 2);
    for (RouterId id = 0; id < 2; ++id)
        apart.add_link(id, apart.add_router());
    CHECK_THROWS_WITH(nearest_common_ancestor(apart, 1), Catch::Contains("no common ancestor"));
}

} // namespace nocturne::up_down_test
