#include "models/routing/deadlock.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/routings.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/routing/route_checks.hpp"

#include <algorithm>

namespace nocturne::group_routing_test {

namespace {

RouterId group_of(const Topology& topology, RouterId id)
{
    return id / topology.routers_per_group();
}

bool is_global(const Topology& topology, const Channel& channel)
{
    return group_of(topology, channel.source) != group_of(topology, channel.target);
}

using Matrix = std::vector<std::vector<std::uint64_t>>;

/// Of the shortest way with at most one global hop.
std::uint64_t fewest_hops(const Topology& topology, const Matrix& local, RouterId from, RouterId to)
{
    if (group_of(topology, from) == group_of(topology, to))
        return local[from][to];
    std::uint64_t fewest = test::far;
    for (ChannelId id = 0; id < topology.channel_count(); ++id) {
        const Channel& channel = topology.channel(id);
        if (group_of(topology, channel.source) == group_of(topology, from) &&
            group_of(topology, channel.target) == group_of(topology, to))
            fewest = std::min(fewest, local[from][channel.source] + 1 + local[channel.target][to]);
    }
    return fewest;
}

/// Hops lead on from each other and their class is `first_class`, one more behind each global hop.
void require_classes(const Topology& topology, const Route& route, std::uint32_t first_class)
{
    for (std::size_t hop = 0; hop < route.size(); ++hop) {
        const Channel& channel = topology.channel(route[hop].channel);
        if (hop > 0)
            REQUIRE(topology.channel(route[hop - 1].channel).target == channel.source);
        first_class += is_global(topology, channel);
        REQUIRE(route[hop].vc_class == first_class);
    }
}

std::size_t global_hops(const Topology& topology, const Route& route)
{
    return static_cast<std::size_t>(std::count_if(route.begin(), route.end(), [&](const Hop& hop) {
        return is_global(topology, topology.channel(hop.channel));
    }));
}

} // namespace

TEST_CASE("lgl takes the shortest way over one global channel", "[routing][groups]")
{
    for (const char* name :
         {"dragonfly:1,4,2", "dragonfly:2,2,1", "dragonfly:1,4,2,5", "dragonfly:1,6,1,3"}) {
        CAPTURE(name);
        const Topology topology = make_topology(name);
        const Routing routing = make_routing(topology, "lgl");
        const Matrix local = test::least_costs(topology, [&](const Channel& channel) {
            return is_global(topology, channel) ? test::far : 1; // inside the groups
        });
        for (ProcessorId source = 0; source < topology.processor_count(); ++source)
            for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
                const RouterId from = topology.processor(source).injection;
                const RouterId to = topology.processor(destination).ejection;
                const Route route = routing.route(source, destination);
                REQUIRE(route.size() == fewest_hops(topology, local, from, to));
                require_classes(topology, route, 0);
            }
    }
}

TEST_CASE("no way of lgl leads over a third group", "[routing][groups]")
{
    // Routers that have no local neighbour: fewer hops, but two of them global, would be shortest.
    const Topology topology = make_topology("dragonfly:1,4,2");
    const Routing lgl = make_routing(topology, "lgl");
    const Routing shortest = make_routing(topology, "shortest");
    std::size_t shorter = 0;
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
            CHECK(global_hops(topology, lgl.route(source, destination)) <= 1);
            shorter += shortest.route(source, destination).size() < lgl.route(source, destination).size();
        }
    CHECK(shorter > 0);
}

TEST_CASE("valiant:lgl goes over a third group, and its classes rise", "[routing][groups]")
{
    for (const char* name : {"dragonfly:1,4,2", "dragonfly:1,4,2,5"}) {
        CAPTURE(name);
        const Topology topology = make_topology(name);
        const Routing routing = make_routing(topology, "valiant:lgl", 7);
        CHECK(routing.name == "valiant:lgl");
        CHECK(check_deadlock(topology, routing).deadlock_free());
        CHECK_FALSE(routing.in_order());
        // What can follow each other, as the routing says it.
        test::Dependencies said;
        routing.fragments()([&](const Route& fragment) { test::insert_dependencies(said, fragment); });
        CHECK_FALSE(test::has_cycle(said));
        std::size_t detours = 0, pairs = 0;
        for (int round = 0; round < 20; ++round)
            for (ProcessorId source = 0; source < topology.processor_count(); ++source)
                for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
                    const Route route = routing.route(source, destination);
                    const std::size_t globals = global_hops(topology, route);
                    REQUIRE(globals <= 2);
                    require_classes(topology, route, globals == 2 ? 0 : 1);
                    test::Dependencies done;
                    test::insert_dependencies(done, route);
                    REQUIRE(std::includes(said.begin(), said.end(), done.begin(), done.end()));
                    detours += globals == 2;
                    pairs += globals > 0;
                }
        // The drawn router is in a third group with probability (groups - 2) / groups.
        const double groups = static_cast<double>(topology.router_count()) / topology.routers_per_group();
        CHECK(static_cast<double>(detours) / static_cast<double>(pairs) ==
              Approx((groups - 2) / groups).epsilon(0.03));
    }
}

TEST_CASE("a threshold of UGAL is a number of flits before the base", "[routing][ugal]")
{
    const Topology topology = make_topology("dragonfly:1,4,2");
    CHECK(make_routing(topology, "ugal:30:lgl").name == "ugal:30:lgl");
    CHECK(make_routing(topology, "ugal:30:lgl").choice()->threshold == 30);
    CHECK(make_routing(topology, "ugal:2").name == "ugal:2:shortest+layers");
    CHECK(make_routing(topology, "ugal_global:0:lgl").name == "ugal_global:lgl");
    CHECK(make_routing(topology, "ugal_global:lgl").choice()->knowledge == QueueKnowledge::global);
    CHECK(make_routing(topology, "ugal:lgl").vc_classes == 3);
}

} // namespace nocturne::group_routing_test
