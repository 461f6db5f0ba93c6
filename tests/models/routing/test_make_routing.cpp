#include "models/routing/make_routing.hpp"
#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/path.hpp"
#include "random_networks.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"

namespace nocturne::make_routing_test {

TEST_CASE("auto is deadlock-free and minimal on every kind of network", "[routing][make]")
{
    for (const TopologyKind& kind : topology_kinds()) {
        const Topology topology = make_topology(kind.example);
        const Routing routing = make_routing(topology, "auto");
        test::require_sound(topology, routing);
        test::require_minimal(topology, routing);
        test::require_deadlock_free(topology, routing);
    }
}

TEST_CASE("auto takes what suits the topology", "[routing][make]")
{
    const auto [spec, name] = GENERATE(table<const char*, const char*>({{"omega:8", "tag"},
                                                                        {"clos:3,3,4", "tag"},
                                                                        {"mesh:4x4", "dor"},
                                                                        {"hypercube:4", "dor"},
                                                                        {"torus:4x4", "dor_even+balanced"},
                                                                        {"octagon:8", "shortest+layers"},
                                                                        {"kautz:3,2", "shortest+layers"},
                                                                        {"fattree:8", "shortest+layers"}}));
    CHECK(make_routing(make_topology(spec), "auto").name == name);
}

TEST_CASE("auto does without the grid when a channel of it is missing", "[routing][make]")
{
    const Topology mesh = make_topology("mesh:3x3");
    Topology broken("broken");
    for (RouterId id = 0; id < 9; ++id)
        broken.add_processor(broken.add_router());
    for (const Channel& channel : mesh.channels())
        if (channel.source != 0 || channel.target != 1)
            broken.add_channel(channel);
    broken.set_grid(*mesh.grid());
    const Routing routing = make_routing(broken, "auto");
    CHECK(routing.name == "shortest+layers");
    test::require_sound(broken, routing);
    test::require_deadlock_free(broken, routing);
}

TEST_CASE("a name may carry an assignment of virtual channels", "[routing][make]")
{
    const Topology torus = make_topology("torus:4x4");
    for (const char* name : {"dor", "updown", "shortest", "dor+datelines", "dor+balanced", "dor+crossing",
                             "dor+layers", "shortest+layers"}) {
        const Routing routing = make_routing(torus, name);
        CHECK(routing.name == name);
        test::require_sound(torus, routing);
    }
    test::require_deadlock(torus, make_routing(torus, "dor"));
    test::require_deadlock_free(torus, make_routing(torus, "dor+layers"));
    CHECK_THROWS_WITH(make_routing(torus, "auto+layers"),
                      "torus:4x4: routing dor_even+balanced has classes of virtual channels already");
}

TEST_CASE("the seed is for what is drawn", "[routing][make]")
{
    const Topology clos = make_topology("clos:3,4,3");
    const auto draws = [&](std::uint64_t seed) {
        const Routing routing = make_routing(clos, "tag_random", seed);
        std::vector<Route> routes;
        for (int i = 0; i < 20; ++i)
            routes.push_back(routing.route(0, 8));
        return routes;
    };
    CHECK(draws(3) == draws(3));
    CHECK(draws(3) != draws(4));
}

TEST_CASE("an unknown name lists the known ones", "[routing][make]")
{
    const Topology ring = make_topology("ring:4");
    const std::string names =
        "dor, dor_even, dor_random, xy, yx, tag, tag_random, updown, updown_hops, nca, shortest, "
        "shortest_hops, valiant, ugal, ugal_global, lgl, planes, o1turn, romm, adaptive, adaptive_hops, "
        "west_first, "
        "north_last, "
        "negative_first, odd_even, auto";
    CHECK_THROWS_WITH(make_routing(ring, "zigzag"), "unknown routing 'zigzag': known are " + names);
    CHECK_THROWS_WITH(make_routing(ring, "shortest+magic"),
                      "unknown virtual-channel assignment 'magic': known are datelines, balanced, crossing, "
                      "layers");
    CHECK_THROWS_WITH(make_routing(ring, ""), "unknown routing '': known are " + names);
    CHECK_THROWS_WITH(make_routing(ring, "valiant:magic"), "unknown routing 'magic': known are " + names);
    CHECK(routing_help() == names + ", file:PATH; +datelines, +balanced, +crossing, +layers");
}

TEST_CASE("valiant takes another name as its base", "[routing][make]")
{
    const Topology torus = make_topology("torus:4x4");
    CHECK(make_routing(torus, "valiant").name == "valiant:dor_even+balanced");
    CHECK(make_routing(torus, "valiant:xy+layers").name == "valiant:xy+layers");
    CHECK(make_routing(torus, "valiant:updown").vc_classes == 2);
    CHECK_THROWS_WITH(make_routing(torus, "valiant+layers"),
                      "torus:4x4: routing valiant:dor_even+balanced has classes of virtual channels already");
}

TEST_CASE("only routings with one route for a pair keep the order", "[routing][make]")
{
    const auto in_order = [](const char* spec, const char* name) {
        const Topology topology = make_topology(spec);
        return make_routing(topology, name).in_order();
    };
    for (const char* name : {"dor", "xy", "yx", "dor+datelines", "yx+layers", "updown", "shortest", "auto"})
        CHECK(in_order("torus:4x4", name));
    CHECK(in_order("clos:3,3,4", "tag"));
    for (const char* name : {"valiant", "adaptive", "dor_random", "dor_random+datelines",
                             "dor_random+balanced", "dor_random+crossing"})
        CHECK_FALSE(in_order("torus:4x4", name));
    for (const char* name : {"tag_random", "tag_random+layers", "adaptive"})
        CHECK_FALSE(in_order("clos:3,3,4", name));
}

TEST_CASE("large networks are routed by their digits, without a table", "[routing][make][size]")
{
    const auto [spec, name] =
        GENERATE(table<const char*, const char*>({{"torus:256x256", "dor_even+balanced"},
                                                  {"mesh:50x40x30", "dor"},
                                                  {"hypercube:15", "dor"},
                                                  {"omega:16384", "tag"}}));
    const Topology topology = make_topology(spec);
    const Routing routing = make_routing(topology, "auto");
    CHECK(routing.name == name);
    SplitMix64 random(1);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    for (int i = 0; i < 1000; ++i) {
        const ProcessorId source = random.below(processors), destination = random.below(processors);
        Path path;
        for (const Hop& hop : routing.route(source, destination))
            path.push_back(hop.channel);
        REQUIRE(connects(topology, source, destination, path));
    }
}

TEST_CASE("routings that need tables say how large these would be", "[routing][make][size]")
{
    const Topology torus = make_topology("torus:256x256");
    for (const char* const name : {"shortest", "updown", "nca", "adaptive", "shortest+layers"})
        CHECK_THROWS_WITH(make_routing(torus, name), Catch::StartsWith("torus:256x256: routing ") &&
                                                         Catch::Contains("would take tables of 16.0 GiB"));
    CHECK_THROWS_WITH(make_routing(torus, "dor+layers"),
                      Catch::StartsWith("torus:256x256: routing dor+layers: for at most 4096 processors"));
    CHECK_THROWS_WITH(make_routing(torus, "tag"), Catch::StartsWith("torus:256x256: "));
}

} // namespace nocturne::make_routing_test
