#include "models/topology/make_topology.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"
#include "tests/models/routing/source_routes.hpp"

namespace nocturne::source_routes_test {

TEST_CASE("source routes are the paths that were given", "[routing][source]")
{
    const Topology ring = make_topology("ring:4");
    const Path forward{ring.channels_from(0)[0],
                       ring.channels_from(ring.channel(ring.channels_from(0)[0]).target)[0]};
    const ProcessorId end = ring.channel(forward[1]).target;
    const std::vector<SourceRoute> routes{{0, end, forward}, {2, 2, {}}};
    const Routing routing = source_routes(ring, routes);
    CHECK(test::path_of(routing.route(0, end)) == forward);
    CHECK(routing.route(2, 2).empty());
    CHECK(routing.vc_classes == 1);
    CHECK_THROWS_WITH(routing.route(1, 3), "ring:4: route 1 -> 3: no path is given");
    CHECK_THROWS_WITH(routing.route(1, 4), "ring:4: processor 4 does not exist");
}

TEST_CASE("source routes that cannot be are refused", "[routing][source]")
{
    Topology topology("pair");
    for (int i = 0; i < 2; ++i)
        topology.add_processor(topology.add_router());
    topology.add_channel(0, 1);
    topology.add_channel(0, 1);
    const auto make = [&](std::vector<SourceRoute> routes) { return source_routes(topology, routes); };
    CHECK_THROWS_WITH(make({{1, 0, {0}}}), "pair: route 1 -> 0: the path does not connect them");
    CHECK_THROWS_WITH(make({{0, 1, {2}}}), "pair: route 0 -> 1: the path does not connect them");
    CHECK_THROWS_WITH(make({{0, 2, {0}}}), "pair: processor 2 does not exist");
    CHECK_THROWS_WITH(make({{0, 1, {0}}, {0, 1, {1}}}), "pair: route 0 -> 1: two different paths are given");
    CHECK_NOTHROW(make({{0, 1, {0}}, {0, 1, {0}}}));
}

} // namespace nocturne::source_routes_test
