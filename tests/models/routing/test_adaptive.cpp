#include "models/routing/adaptive.hpp"
#include "models/routing/deadlock.hpp"
#include "models/routing/distances.hpp"
#include "models/routing/paths.hpp"
#include "models/topology/make_topology.hpp"
#include "random_networks.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <algorithm>
#include <vector>

namespace nocturne::adaptive_test {

namespace {

/// All that messages can do who take any minimal path, in one class.
test::Dependencies minimal_dependencies(const Topology& topology)
{
    test::Dependencies result;
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
            PathEnumerator paths(topology, source, destination);
            while (const auto path = paths.next()) {
                Route route;
                for (const ChannelId id : *path)
                    route.push_back({id});
                test::insert_dependencies(result, route);
            }
        }
    return result;
}

/// The way by escape channels; empty if it is no minimal path, in classes of its own.
Route escape_route(const AdaptiveRouting& routing, RouterId at, RouterId destination)
{
    const Topology& topology = routing.topology();
    Route route;
    auto hops = distances_to(topology, destination)[at];
    for (; hops > 0; --hops) {
        const Hop& hop = routing.escape(at, destination);
        if (topology.channel(hop.channel).source != at || hop.vc_class == 0 ||
            hop.vc_class >= routing.vc_classes())
            return {};
        route.push_back(hop);
        at = topology.channel(hop.channel).target;
    }
    return at == destination ? route : Route();
}

/// Requires that there are escape channels if and only if they are needed, and that they lead from wherever a
/// message can be to its destination, without a cycle; by means that share nothing with the code under test
/// but distances and paths.
void require_adaptive(const Topology& topology)
{
    INFO(topology.name());
    const Routing routing = adaptive_routing(topology);
    REQUIRE_FALSE(routing.in_order());
    REQUIRE(routing.adaptive() != nullptr);
    const AdaptiveRouting& adaptive = *routing.adaptive();
    const test::Dependencies minimal = minimal_dependencies(topology);
    REQUIRE(adaptive.has_escape() == test::has_cycle(minimal));

    test::Dependencies expected = minimal;
    if (adaptive.has_escape()) {
        expected.clear();
        for (const RouterId destination : ejection_routers(topology)) {
            const MinimalPaths ways(topology, destination);
            for (const RouterId at : ways.routers()) {
                const Route route = escape_route(adaptive, at, destination);
                REQUIRE(route.empty() == (at == destination));
                test::insert_dependencies(expected, route);
            }
        }
    }
    REQUIRE(routing.vc_classes == adaptive.vc_classes());
    REQUIRE((routing.vc_classes == 1) == !adaptive.has_escape());
    test::require_dependencies(check_deadlock(topology, routing), expected);
}

} // namespace

TEST_CASE("escape channels are there where adaptive ones can wait in circles, and have no cycle themselves",
          "[routing][adaptive]")
{
    for (const TopologyKind& kind : topology_kinds())
        require_adaptive(make_topology(kind.example));
    for (const char* spec : {"mesh:5x3", "mesh:3x3x3", "torus:3x3", "torus:5x5", "torus:4x3x5", "torus:7",
                             "ring:9", "hypercube:5", "kautz:2,4", "debruijn:2,4", "kautz:3,2", "octagon:16",
                             "hyperx:3x4", "hyperx:4x3x2", "regular_hyperx:2,3,2,2", "flatfly:4,3"})
        require_adaptive(make_topology(spec));
}

TEST_CASE("escape channels are found on any network", "[routing][adaptive]")
{
    int with_escape = 0;
    int without = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const auto routers = static_cast<unsigned>(2 + seed % 13);
        const auto extra = static_cast<unsigned>(seed % 17);
        const Topology topology = seed % 3 == 0 ? test::random_directed(seed, routers, extra)
                                                : test::random_connected(seed, routers, extra);
        require_adaptive(topology);
        ++(adaptive_routing(topology).adaptive()->has_escape() ? with_escape : without);
    }
    CHECK(with_escape > 50);
    CHECK(without > 30);
}

TEST_CASE("what suits the network decides the number of classes", "[routing][adaptive]")
{
    const auto [spec, classes] = GENERATE(table<const char*, unsigned>({{"omega:16", 1},
                                                                        {"benes:2,4", 1},
                                                                        {"fattree:4,2", 1},
                                                                        {"fbtree:15", 1},
                                                                        {"complete:6", 1},
                                                                        {"mesh:9", 1},
                                                                        {"mesh:4x4", 2},
                                                                        {"mesh:4x4x4", 2},
                                                                        {"hypercube:6", 2},
                                                                        {"torus:3x3", 2},
                                                                        {"torus:4x4", 3},
                                                                        {"torus:8x8", 3}}));
    CAPTURE(spec);
    CHECK(adaptive_routing(make_topology(spec)).vc_classes == classes);
}

TEST_CASE("adaptive routing has no routes to give, and needs paths", "[routing][adaptive]")
{
    const Topology mesh = make_topology("mesh:2x2");
    CHECK_THROWS_WITH(
        adaptive_routing(mesh).route(0, 1),
        "mesh:2x2: adaptive routing is decided in the network: it has no routes to give beforehand");
    const Topology line = test::direct_network("line", 2, {{0, 1}});
    CHECK_THROWS_WITH(adaptive_routing(line), "line: no path from processor 1 to router 0");
}

TEST_CASE("in fat trees a message may take every port up to a nearest common ancestor, and then one down",
          "[routing][adaptive]")
{
    const Topology tree = make_topology(GENERATE("fattree:2,3", "fattree:4,2", "fattree:3,3", "fattree:16"));
    const Routing routing = adaptive_routing(tree);
    CHECK_FALSE(routing.adaptive()->has_escape());
    std::vector<unsigned> level(tree.router_count(), ~0u); // above the processors
    for (const Processor& processor : tree.processors()) {
        const auto hops = distances_to(tree, processor.ejection);
        for (RouterId id = 0; id < level.size(); ++id)
            level[id] = std::min(level[id], hops[id]);
    }
    for (const Processor& processor : tree.processors()) {
        std::vector<bool> is_above(tree.router_count());
        is_above[processor.ejection] = true;
        for (unsigned below = 0; below < tree.router_count(); ++below) // level by level
            for (const Channel& channel : tree.channels())
                if (level[channel.source] == below && level[channel.target] == below + 1 &&
                    is_above[channel.source])
                    is_above[channel.target] = true;
        routing.adaptive()->visit_allowed(
            processor.ejection, [&](RouterId at, unsigned, const AdaptiveRouting::Channels& allowed) {
                std::vector<ChannelId> expected;
                for (const ChannelId id : tree.channels_from(at)) {
                    const RouterId next = tree.channel(id).target;
                    if (is_above[at] ? level[next] < level[at] && is_above[next] : level[next] > level[at])
                        expected.push_back(id);
                }
                if (at == processor.ejection)
                    expected.clear();
                CHECK(std::vector(allowed.begin(), allowed.end()) == expected);
                CHECK((!is_above[at] || expected.size() <= 1));
            });
    }
}

} // namespace nocturne::adaptive_test
