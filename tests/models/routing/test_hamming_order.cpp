#include "models/routing/hamming_order.hpp"
#include "models/routing/make_routing.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/models/routing/route_checks.hpp"

#include <catch2/catch.hpp>

namespace nocturne::hamming_order_test {

using Extents = std::vector<unsigned>;

TEST_CASE("networks of complete graphs are recognized by their channels", "[routing]")
{
    CHECK(hamming_extents(make_topology("hyperx:3x4")) == Extents{3, 4});
    CHECK(hamming_extents(make_topology("hyperx:4x3x2")) == Extents{4, 3, 2});
    CHECK(hamming_extents(make_topology("regular_hyperx:2,3,2,2")) == Extents{3, 3});
    CHECK(hamming_extents(make_topology("flatfly:4,3")) == Extents{4, 4});
    CHECK(hamming_extents(make_topology("complete:5")) == Extents{5});
    CHECK(hamming_extents(make_topology("hypercube:3")) == Extents{2, 2, 2});
    for (const char* other : {"ring:5", "mesh:3x3", "torus:4x4", "dragonfly:1,4,2", "fattree:2,3", "star:4"})
        CHECK_FALSE(hamming_extents(make_topology(other)));
    Topology one_way("one way");
    for (int i = 0; i < 3; ++i)
        one_way.add_router();
    one_way.add_link(0, 1);
    one_way.add_link(1, 2);
    one_way.add_channel(0, 2);
    CHECK_FALSE(hamming_extents(one_way));
}

TEST_CASE("dimension order takes a hop in each dimension of a HyperX", "[routing]")
{
    for (const char* name :
         {"hyperx:3x4", "hyperx:4x3x2", "regular_hyperx:2,3,2,2", "flatfly:4,3", "complete:5"}) {
        CAPTURE(name);
        const Topology topology = make_topology(name);
        const Routing routing = make_routing(topology, "dor");
        CHECK(routing.name == "dor");
        test::require_sound(topology, routing);
        test::require_minimal(topology, routing);
        test::require_deadlock_free(topology, routing);
    }
    // The last coordinate changes first.
    const Topology hyperx = make_topology("hyperx:3x4");
    const Route route = make_routing(hyperx, "dor").route(0, 11);
    REQUIRE(route.size() == 2);
    CHECK(hyperx.channel(route[0].channel).target == 3);
}

TEST_CASE("parallel links of a HyperX are all used", "[routing]")
{
    const Topology topology = make_topology("regular_hyperx:1,4,3,4");
    const Routing routing = make_routing(topology, "dor");
    std::vector<unsigned> uses(topology.channel_count());
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
            for (const Hop& hop : routing.route(source, destination))
                ++uses[hop.channel];
    for (const unsigned count : uses)
        CHECK(count > 0); // of 16 pairs each
}

} // namespace nocturne::hamming_order_test
