// Routing on planes, against what is counted by hand on one-way tori.
#include "models/routing/deadlock.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/plane_routing.hpp"
#include "models/topology/json_format.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/composed.hpp"

#include <algorithm>

namespace nocturne::plane_routing_test {

using Catch::Contains;

namespace {

constexpr unsigned rows = 3, columns = 4, tiles = rows * columns;

/// Of two planes; the second may be called reversed.
Topology chip(const std::string& interfaces, const std::string& first, const std::string& second,
              const std::string& more = "")
{
    return test::composed(test::composition_of(
        fmt::format(R"("parts": [{{"name": "a", "network": "{}"}}, {{"name": "b", "network": "{}"{}}}],
                       "planes": {{"tiles": "tile", "interfaces": "{}"}})",
                    first, second, more, interfaces)));
}

/// There and back.
Topology chip(const std::string& interfaces)
{
    return chip(interfaces, "oneway_torus:3x4", "oneway_torus:3x4", R"(, "reversed": true)");
}

/// The routers that a route comes to.
std::vector<RouterId> visited(const Topology& topology, const Route& route)
{
    std::vector<RouterId> routers;
    for (const Hop& hop : route)
        routers.push_back(topology.channel(hop.channel).target);
    return routers;
}

/// From tile to tile on a plane, along the row first on plane 0, along the column first on plane 1.
std::vector<RouterId> expected(unsigned plane, unsigned from, unsigned to)
{
    std::vector<RouterId> routers;
    unsigned row = from / columns, column = from % columns;
    const auto along = [&](unsigned& at, unsigned end, unsigned extent) {
        while (at != end) {
            at = (at + (plane == 0 ? 1 : extent - 1)) % extent;
            routers.push_back(plane * tiles + row * columns + column);
        }
    };
    if (plane == 0)
        along(column, to % columns, columns);
    along(row, to / columns, rows);
    if (plane == 1)
        along(column, to % columns, columns);
    return routers;
}

} // namespace

TEST_CASE("messages stay on the plane of their interface", "[routing][planes]")
{
    const Topology topology = chip("separate");
    CHECK(has_planes(topology));
    const Routing routing = make_routing(topology, "planes:xy+datelines,yx+datelines");
    CHECK(routing.name == "planes:xy+datelines,yx+datelines");
    CHECK(routing.vc_classes == 2);
    for (ProcessorId source = 0; source < 2 * tiles; ++source)
        for (ProcessorId destination = 0; destination < 2 * tiles; ++destination) {
            std::vector<RouterId> wanted = expected(source / tiles, source % tiles, destination % tiles);
            wanted.push_back(2 * tiles + destination % tiles);
            const Route route = routing.route(source, destination);
            CHECK(visited(topology, route) == wanted);
            CHECK(route.back().vc_class == 0);
        }
    CHECK(check_deadlock(topology, routing).deadlock_free());
    CHECK_FALSE(check_deadlock(topology, make_routing(topology, "planes:dor")).deadlock_free());
    // What joins planes and tiles needs one class: it has all virtual channels.
    CHECK(routing.vc_classes.used(0) == 2);
    CHECK(routing.vc_classes.used(static_cast<ChannelId>(topology.channel_count() - 1)) == 1);
}

TEST_CASE("auto routes each plane as it would alone", "[routing][planes]")
{
    const Topology topology = chip("separate");
    const Routing routing = make_routing(topology, "auto");
    CHECK(routing.name == "planes:auto");
    const Topology alone = make_topology("oneway_torus:3x4");
    const Routing one = make_routing(alone, "auto");
    for (ProcessorId source = 0; source < tiles; ++source)
        for (ProcessorId destination = 0; destination < tiles; ++destination) {
            Route route = routing.route(source, destination);
            route.pop_back();
            CHECK(route == one.route(source, destination));
        }
    CHECK(check_deadlock(topology, routing).deadlock_free());
}

TEST_CASE("a message from a shared interface takes the plane of fewer hops", "[routing][planes]")
{
    const Topology topology = chip("shared");
    const Routing routing = make_routing(topology, "planes:xy+datelines,yx+datelines");
    unsigned on_first = 0, either = 0;
    for (ProcessorId source = 0; source < tiles; ++source)
        for (ProcessorId destination = 0; destination < tiles; ++destination) {
            const std::vector<RouterId> at = visited(topology, routing.route(source, destination));
            const auto first = expected(0, source, destination), second = expected(1, source, destination);
            REQUIRE(at.size() == std::min(first.size(), second.size()) + 2);
            const unsigned plane = at.front() / tiles;
            CHECK(std::ranges::equal(plane == 0 ? first : second, std::span(at).subspan(1, at.size() - 2)));
            CHECK(at.back() == 2 * tiles + destination);
            if (first.size() == second.size()) {
                ++either;
                on_first += plane == 0 ? 1 : 0;
            }
        }
    CHECK(on_first > either / 4);
    CHECK(on_first < either * 3 / 4);
    CHECK(check_deadlock(topology, routing).deadlock_free());
}

TEST_CASE("planes may be different networks, each with the routing that it has alone", "[routing][planes]")
{
    for (const char* const interfaces : {"separate", "shared"})
        for (const auto& [first, second] : {std::pair("mesh:4x4", "torus:4x4"),
                                            {"ring:5", "ring:5"},
                                            {"mesh:4x4", "folded_torus:4x4"},
                                            {"octagon:8", "ring:8"},
                                            {"hexamesh:1", "ring:7"},
                                            {"dragonfly:1,3,1", "mesh:3x4"},
                                            {"mesh:2x8", "mesh:4x4"},
                                            {"oneway_torus:3x4", "mesh:3x4"},
                                            {"mesh:2x2x2", "hypercube:3"}}) {
            CAPTURE(interfaces, first, second);
            const bool is_shared = std::string(interfaces) == "shared";
            if (is_shared && make_topology(first).processors().front().name !=
                                 make_topology(second).processors().front().name)
                continue; // shared interfaces take the same names
            Topology topology("none");
            try {
                topology = chip(interfaces, first, second);
            } catch (const std::runtime_error& error) {
                REQUIRE(is_shared);
                CHECK_THAT(error.what(), Contains("has other processors"));
                continue;
            }
            CHECK(topology_from_json(to_json(topology), "chip") == topology);
            REQUIRE(has_planes(topology));
            const Routing routing = make_routing(topology, "auto");
            CHECK(routing.name == "planes:auto");
            CHECK(check_deadlock(topology, routing).deadlock_free());
            if (is_shared)
                continue;
            RouterId plane = 0;
            for (const char* const network : {first, second}) {
                const Topology alone = make_topology(network);
                const auto routers = static_cast<RouterId>(alone.router_count());
                const Routing one = make_routing(alone, "auto");
                for (ProcessorId source = 0; source < routers; ++source)
                    for (ProcessorId destination = 0; destination < routers; ++destination) {
                        Route route = routing.route(plane + source, plane + destination);
                        REQUIRE_FALSE(route.empty());
                        CHECK(topology.channel(route.back().channel).target == 2 * routers + destination);
                        route.pop_back();
                        const Route expected = one.route(source, destination);
                        REQUIRE(route.size() == expected.size());
                        for (std::size_t i = 0; i < route.size(); ++i) {
                            CHECK(route[i].vc_class == expected[i].vc_class);
                            CHECK(topology.channel(route[i].channel).target ==
                                  plane + alone.channel(expected[i].channel).target);
                        }
                    }
                plane += routers;
            }
        }
    const Topology joined = test::composed(test::composition_of(
        R"("parts": [{"name": "a", "network": "mesh:2x2"}, {"name": "b", "network": "ring:4"}],
           "planes": {"tiles": "t", "interfaces": "separate"}, "joints": [{"from": "a/00", "to": "b/0"}])"));
    CHECK_FALSE(has_planes(joined)); // a link between them
}

TEST_CASE("what does not suit planes is refused", "[routing][planes]")
{
    const Topology topology = chip("separate");
    CHECK_THROWS_WITH(make_routing(topology, "planes:xy,yx,xy"), Contains("3 routings for 2 planes"));
    CHECK_THROWS_WITH(make_routing(topology, "planes:valiant"), Contains("no single route"));
    CHECK_THROWS_WITH(make_routing(topology, "planes:adaptive"), Contains("no single route"));
    CHECK_THROWS_WITH(make_routing(topology, "planes:mad"), Contains("unknown routing 'mad'"));
    const std::string network = GENERATE("mesh:2x3x4", "kite_small:4x5", "elevator_mesh:2x3x3x2", "torus:4x4",
                                         "mesh:5x1", "ring:5", "hypercube:3");
    const Topology other = make_topology(network);
    CHECK_FALSE(has_planes(other));
    CHECK_THROWS_WITH(make_routing(other, "planes"), Contains("not made of planes"));
}

} // namespace nocturne::plane_routing_test
