#include "models/routing/deadlock.hpp"
#include "models/routing/routings.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace nocturne::datelines_test {

namespace {

enum class Links { one_way, two_way };

/// A ring whose routers are numbered at random and that says nothing of being one.
Topology shuffled_ring(unsigned routers, Links links)
{
    Topology ring = test::direct_network("shuffled ring", routers);
    std::vector<RouterId> order(routers);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(routers));
    for (unsigned i = 0; i < routers; ++i) {
        ring.add_channel(order[i], order[(i + 1) % routers]);
        if (links == Links::two_way)
            ring.add_channel(order[(i + 1) % routers], order[i]);
    }
    return ring;
}

} // namespace

TEST_CASE("with balanced datelines no class carries much more than the other", "[routing][datelines]")
{
    const Topology torus = make_topology("torus:8x8");
    const auto share_of_class_0 = [&](const Routing& routing) {
        double hops[2] = {0, 0};
        for (ProcessorId source = 0; source < 64; ++source)
            for (ProcessorId destination = 0; destination < 64; ++destination)
                for (const Hop& hop : routing.route(source, destination))
                    ++hops[hop.vc_class];
        return hops[0] / (hops[0] + hops[1]);
    };
    CHECK(share_of_class_0(with_datelines(torus, dimension_order(torus))) > 0.7);
    CHECK(share_of_class_0(with_balanced_datelines(torus, dimension_order(torus, HalfWay::alternating))) ==
          Approx(0.5).margin(0.05));
}

TEST_CASE("classes of balanced datelines are drawn evenly, and every turn drawn is counted",
          "[routing][datelines]")
{
    const Topology torus = make_topology("torus:8x8");
    const Routing of_fixed_routes = with_balanced_datelines(torus, dimension_order(torus), 4);
    test::require_known_draws(torus, of_fixed_routes, check_deadlock(torus, of_fixed_routes), 20, false);
    const Routing routing = with_balanced_datelines(torus, dimension_order(torus, 3), 4);
    int in_class_1 = 0;
    for (int draw = 0; draw < 1000; ++draw) // from column 1 to 3: neither dateline nor middle
        in_class_1 += routing.route(1, 3).front().vc_class == 1 ? 1 : 0;
    CHECK(in_class_1 > 400);
    CHECK(in_class_1 < 600);
    for (int draw = 0; draw < 20; ++draw) {
        CHECK(routing.route(7, 1).front().vc_class == 1); // crosses the dateline
        CHECK(routing.route(3, 5).front().vc_class == 0); // crosses the middle
    }
    // Where drawn routes go on behind no dateline one class is enough.
    const Topology small = make_topology("torus:3x2");
    const Routing one_class = with_balanced_datelines(small, dimension_order(small, 3), 4);
    CHECK(one_class.vc_classes == 1);
    CHECK_FALSE(one_class.in_order());
    CHECK(check_deadlock(small, one_class).deadlock_free());
}

TEST_CASE("classes are counted for dimension order as if all pairs had been asked", "[routing][datelines]")
{
    const Topology torus = make_topology(
        GENERATE("torus:3", "torus:4", "torus:5", "torus:3x3", "torus:2x4", "torus:4x3x2", "torus:6x5"));
    for (const HalfWay half_way : {HalfWay::positive, HalfWay::alternating}) {
        const Routing known = dimension_order(torus, half_way);
        Routing any = known;
        std::get<ObliviousRoutes>(any.kind).is_minimal_dimension_order = false;
        CHECK(with_datelines(torus, known).vc_classes == with_datelines(torus, any).vc_classes);
        CHECK(with_balanced_datelines(torus, known).vc_classes ==
              with_balanced_datelines(torus, any).vc_classes);
    }
}

TEST_CASE("balanced datelines refuse a route that goes more than half round", "[routing][datelines]")
{
    const Topology ring = shuffled_ring(8, Links::one_way);
    CHECK_THROWS_WITH(with_balanced_datelines(ring, shortest_path(ring)), Catch::Contains("minimal routing"));
    const Topology two_way = shuffled_ring(8, Links::two_way);
    test::require_deadlock_free(two_way, with_balanced_datelines(two_way, shortest_path(two_way)));
}

TEST_CASE("a ring that is left lower than it is entered is travelled in class 1 with crossing classes",
          "[routing][datelines]")
{
    const Topology torus = make_topology(GENERATE("torus:4x4", "torus:5x3", "torus:8x2", "torus:4x3x5",
                                                  "torus:7", "torus:2x2", "torus:6x7", "torus:4x1"));
    for (const Routing& base :
         {dimension_order(torus), dimension_order(torus, HalfWay::alternating), dimension_order(torus, 3)}) {
        const Routing routing = with_crossing_classes(torus, base);
        INFO(torus.name() << ", " << routing.name);
        CHECK(routing.in_order() == base.in_order());
        for (ProcessorId source = 0; source < torus.processor_count(); ++source)
            for (ProcessorId destination = 0; destination < torus.processor_count(); ++destination) {
                const auto from = torus.coordinates(source);
                const auto to = torus.coordinates(destination);
                for (const Hop& hop : routing.route(source, destination)) {
                    const auto before = torus.coordinates(torus.channel(hop.channel).source);
                    const auto behind = torus.coordinates(torus.channel(hop.channel).target);
                    const auto dimension =
                        std::mismatch(before.begin(), before.end(), behind.begin()).first - before.begin();
                    const auto d = static_cast<std::size_t>(dimension);
                    REQUIRE(hop.vc_class == (to[d] < from[d] ? 1u : 0u));
                }
            }
    }
}

TEST_CASE("crossing classes are for minimal routes, and less even than balanced ones", "[routing][datelines]")
{
    const Topology one_way = shuffled_ring(8, Links::one_way);
    CHECK_THROWS_WITH(with_crossing_classes(one_way, shortest_path(one_way)),
                      Catch::Contains("crosses the dateline and the middle of one ring"));
    const Topology two_way = shuffled_ring(9, Links::two_way);
    const Routing routing = with_crossing_classes(two_way, shortest_path(two_way));
    CHECK(routing.name == "shortest+crossing");
    test::require_sound(two_way, routing);
    test::require_deadlock_free(two_way, routing);
    CHECK_THROWS_WITH(with_crossing_classes(two_way, routing),
                      Catch::Contains("has classes of virtual channels already"));
}

TEST_CASE("minimal routing on a ring deadlocks with one class, and not with datelines",
          "[routing][datelines]")
{
    const unsigned routers = GENERATE(5u, 8u, 9u, 16u);
    const Links links = GENERATE(Links::one_way, Links::two_way);
    const Topology ring = shuffled_ring(routers, links);
    test::require_deadlock(ring, shortest_path(ring));
    const Routing routing = with_datelines(ring, shortest_path(ring));
    test::require_sound(ring, routing);
    test::require_deadlock_free(ring, routing);
    CHECK(routing.vc_classes == 2);
}

TEST_CASE("datelines are refused where there are none", "[routing][datelines]")
{
    for (const char* spec : {"mesh:4x4", "petersen", "octagon:8", "omega:8", "mesh:1x5"})
        CHECK_FALSE(has_datelines(make_topology(spec)));
    Topology two_rings = test::direct_network("two rings", 6);
    for (RouterId id = 0; id < 6; ++id)
        two_rings.add_link(id, id / 3 * 3 + (id + 1) % 3);
    CHECK_FALSE(has_datelines(two_rings));

    const Topology torus = make_topology("torus:4x4");
    CHECK_THROWS_WITH(with_datelines(torus, with_datelines(torus, dimension_order(torus))),
                      "torus:4x4: routing dor+datelines has classes of virtual channels already");

    Topology express = test::direct_network("express", 5);
    for (RouterId id = 0; id < 5; ++id)
        express.add_link(id, (id + 1) % 5);
    express.add_link(0, 2);
    express.set_grid({{5}, true});
    CHECK_THROWS_WITH(with_datelines(express, shortest_path(express)),
                      "express: channel 11 (2->0) does not join neighbours of the grid: no dateline for it");
    CHECK(with_datelines(express, dimension_order(express)).vc_classes == 2);
}

} // namespace nocturne::datelines_test
