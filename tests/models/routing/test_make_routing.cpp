#include "models/routing/make_routing.hpp"
#include "models/routing/random.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/path.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

namespace nocturne::make_routing_test {

TEST_CASE("auto does without the grid when a channel of it is missing", "[routing][make]")
{
    const Topology mesh = make_topology("mesh:3x3");
    Topology broken = test::direct_network("broken", 9);
    for (const Channel& channel : mesh.channels())
        if (channel.source != 0 || channel.target != 1)
            broken.add_channel(channel);
    broken.set_grid(*mesh.grid());
    const Routing routing = make_routing(broken, "auto");
    CHECK(routing.name == "shortest+layers");
    test::require_sound(broken, routing);
    test::require_deadlock_free(broken, routing);
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
}

TEST_CASE("adaptive and drawn routings do not keep the order, whatever their classes", "[routing][make]")
{
    for (const char* name : {"adaptive", "tag_random+layers"}) {
        const Topology clos = make_topology("clos:3,3,4");
        CHECK_FALSE(make_routing(clos, name).in_order());
    }
    const Topology torus = make_topology("torus:4x4");
    CHECK_FALSE(make_routing(torus, "adaptive").in_order());
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

} // namespace nocturne::make_routing_test
