#include "models/routing/routings.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

namespace nocturne::layers_test {

TEST_CASE("layers change the classes, not the paths, and few classes are enough", "[routing][layers]")
{
    const auto [spec, most] = GENERATE(table<const char*, unsigned>({{"ring:8", 2},
                                                                     {"ring:17", 2},
                                                                     {"torus:5x5", 3},
                                                                     {"hypercube:5", 3},
                                                                     {"kautz:3,3", 3},
                                                                     {"debruijn:2,5", 3},
                                                                     {"hoffman_singleton", 2}}));
    const Topology topology = make_topology(spec);
    const Routing base = shortest_path(topology);
    const Routing routing = with_layers(topology, base);
    CHECK(routing.vc_classes <= most);
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
            REQUIRE(test::path_of(routing.route(source, destination)) ==
                    test::path_of(base.route(source, destination)));
}

namespace {

/// Routers in a hexagon of triangles, as the chiplets of HexaMesh (Iff et al., DAC 2023): each has six
/// neighbours, `rings` of them around one in the middle.
Topology hexagon(int rings)
{
    Topology topology("hexagon");
    std::map<std::pair<int, int>, RouterId> at;
    for (int x = -rings; x <= rings; ++x)
        for (int y = -rings; y <= rings; ++y)
            if (std::abs(x + y) <= rings)
                topology.add_processor(at[{x, y}] = topology.add_router());
    for (const auto& [place, id] : at)
        for (const auto& [dx, dy] : {std::pair{1, 0}, {0, 1}, {1, -1}})
            if (const auto next = at.find({place.first + dx, place.second + dy}); next != at.end())
                topology.add_link(id, next->second);
    return topology;
}

/// How much of what the paths could carry, if every virtual channel took any hop, they carry with classes:
/// both as the load that the busiest virtual channel has under uniform traffic.
double carried_part(const Topology& topology, const Routing& routing, unsigned vcs)
{
    std::vector<std::vector<double>> hops(topology.channel_count(), std::vector<double>(routing.vc_classes));
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
            for (const Hop& hop : routing.route(source, destination))
                ++hops[hop.channel][hop.vc_class];
    double shared = 0;
    double with_classes = 0;
    for (ChannelId id = 0; id < hops.size(); ++id) {
        shared = std::max(shared, std::accumulate(hops[id].begin(), hops[id].end(), 0.0) / vcs);
        const std::vector<VcClasses::Range> ranges = routing.vc_classes.shares(id, vcs);
        for (std::size_t vc_class = 0; vc_class < ranges.size(); ++vc_class) {
            REQUIRE((ranges[vc_class].count > 0) == (hops[id][vc_class] > 0));
            if (hops[id][vc_class] > 0)
                with_classes = std::max(with_classes, hops[id][vc_class] / ranges[vc_class].count);
        }
    }
    return shared / with_classes;
}

} // namespace

TEST_CASE("the virtual channels follow the traffic of the layers", "[routing][layers]")
{
    const Topology hexamesh = hexagon(3);
    REQUIRE(hexamesh.router_count() == 37);
    const Routing routing = with_layers(hexamesh, shortest_path(hexamesh));
    CHECK(routing.vc_classes == 2);
    CHECK(carried_part(hexamesh, routing, 4) > 0.9); // equal shares: 0.5
    CHECK(carried_part(hexamesh, routing, 8) > 0.9);
    for (const char* const spec : {"torus:8x8", "hypercube:6", "kautz:3,3", "hoffman_singleton"}) {
        const Topology topology = make_topology(spec);
        CAPTURE(spec);
        CHECK(carried_part(topology, with_layers(topology, shortest_path(topology)), 8) > 0.75);
    }
}

TEST_CASE("a routing that needs no help keeps one class", "[routing][layers]")
{
    const Topology mesh = make_topology("mesh:4x5");
    CHECK(with_layers(mesh, dimension_order(mesh)).vc_classes == 1);
    CHECK(with_layers(mesh, up_down(mesh)).vc_classes == 1);
    const Topology tree = make_topology("fattree:3,3");
    CHECK(with_layers(tree, shortest_path(tree)).vc_classes == 1);
    CHECK(with_layers(tree, shortest_path(tree)).name == "shortest+layers");
}

TEST_CASE("layers are refused where they cannot hold", "[routing][layers]")
{
    const Topology ring = make_topology("ring:8");
    CHECK_THROWS_WITH(with_layers(ring, with_layers(ring, shortest_path(ring))),
                      "ring:8: routing shortest+layers has classes of virtual channels already");

    // A routing that turns round the other way once its classes are made.
    const Topology one_way = test::one_way_circle("one way", 6);
    const auto hops = std::make_shared<std::size_t>(5);
    const auto turning = [hops](ProcessorId source, ProcessorId) {
        Route route;
        for (std::size_t i = 0; i < *hops; ++i)
            route.push_back({static_cast<ChannelId>((source + i) % 6)});
        return route;
    };
    const Routing fickle{"fickle", 1, ObliviousRoutes{turning}};
    const Routing routing = with_layers(one_way, fickle);
    REQUIRE(routing.vc_classes == 2);
    *hops = 18;
    CHECK_THROWS_AS(routing.route(0, 1), std::runtime_error);
}

} // namespace nocturne::layers_test
