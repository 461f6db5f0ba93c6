#include "models/routing/deadlock.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/routings.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "random_networks.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <map>

namespace nocturne::valiant_test {

namespace {

Route joined(const Routing& base, ProcessorId source, ProcessorId middle, ProcessorId destination)
{
    Route route = base.route(source, middle);
    for (Hop hop : base.route(middle, destination)) {
        hop.vc_class += base.vc_classes;
        route.push_back(hop);
    }
    return route;
}

/// By each intermediate processor.
test::Dependencies all_dependencies(const Topology& topology, const Routing& base)
{
    test::Dependencies result;
    const auto processors = static_cast<ProcessorId>(topology.processor_count());
    for (ProcessorId source = 0; source < processors; ++source)
        for (ProcessorId middle = 0; middle < processors; ++middle)
            for (ProcessorId destination = 0; destination < processors; ++destination)
                test::insert_dependencies(result, joined(base, source, middle, destination));
    return result;
}

void require_valiant(const Topology& topology, const Routing& base, std::uint64_t seed)
{
    INFO(topology.name() << ", " << base.name);
    const Routing routing = valiant(topology, base, seed);
    REQUIRE(routing.vc_classes == 2 * base.vc_classes);
    REQUIRE_FALSE(routing.in_order());
    const auto processors = static_cast<ProcessorId>(topology.processor_count());
    for (ProcessorId source = 0; source < processors; ++source)
        for (ProcessorId destination = 0; destination < processors; ++destination) {
            const Route route = routing.route(source, destination);
            REQUIRE(connects(topology, source, destination, test::path_of(route)));
            bool is_joined = route.empty();
            for (ProcessorId middle = 0; middle < processors && !is_joined; ++middle)
                is_joined = route == joined(base, source, middle, destination);
            REQUIRE(is_joined);
        }
    // Messages that could stay at their router are among those that it counts: a few turns more, and no cycle
    // more.
    const DependencyCheck check = check_deadlock(topology, routing);
    REQUIRE(check.deadlock_free() == check_deadlock(topology, base).deadlock_free());
    const test::Dependencies expected = all_dependencies(topology, base);
    REQUIRE(check.dependencies.size() == expected.size());
    for (const auto& [from, to] : expected)
        REQUIRE(check.dependencies.contains({from.first, from.second}, {to.first, to.second}));
}

} // namespace

TEST_CASE("valiant routes are two routes of the base, and the deadlock check sees all of them",
          "[routing][valiant]")
{
    for (const char* spec : {"mesh:3x3", "torus:4x3", "hypercube:3", "kautz:2,2", "octagon:8", "fattree:4",
                             "fat_octagon:8", "star:5", "ring:7", "coated_mesh:2x2"}) {
        const Topology topology = make_topology(spec);
        require_valiant(topology, make_routing(topology, "auto"), 1);
        require_valiant(topology, shortest_path(topology), 2);
    }
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const auto routers = static_cast<unsigned>(2 + seed % 8);
        const Topology topology = seed % 2 == 0 ? test::random_directed(seed, routers, 3)
                                                : test::random_connected(seed, routers, 5);
        require_valiant(topology, make_routing(topology, "auto"), seed);
        require_valiant(topology, shortest_path(topology), seed);
    }
}

TEST_CASE("each processor is as often intermediate as the others", "[routing][valiant]")
{
    const Topology ring = make_topology("ring:9");
    const Routing routing = make_routing(ring, "valiant", 5);
    const Routing base = make_routing(ring, "auto");
    std::map<RouterId, int> turned_at; // where the first part ends
    constexpr int draws = 9000;
    for (int i = 0; i < draws; ++i) {
        const Route route = routing.route(0, 4);
        RouterId at = 0;
        for (const Hop& hop : route)
            if (hop.vc_class < base.vc_classes)
                at = ring.channel(hop.channel).target;
        ++turned_at[at];
    }
    REQUIRE(turned_at.size() == 9);
    for (const auto& [router, times] : turned_at)
        CHECK(times == Approx(draws / 9).margin(5 * std::sqrt(draws / 9.0)));
}

TEST_CASE("a message to a processor of the same router stays there", "[routing][valiant]")
{
    const Topology octagon = make_topology("fat_octagon:8");
    const Routing routing = make_routing(octagon, "valiant");
    REQUIRE(octagon.processor(0).injection == octagon.processor(1).injection);
    for (int i = 0; i < 20; ++i) {
        CHECK(routing.route(0, 0).empty());
        CHECK(routing.route(0, 1).empty());
    }
    CHECK_THROWS_WITH(routing.route(0, 16), "fat_octagon:8: processor 16 does not exist");
}

} // namespace nocturne::valiant_test
