#include "models/routing/adaptive.hpp"
#include "models/routing/deadlock.hpp"
#include "models/routing/distances.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/random.hpp"
#include "models/routing/routings.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "random_networks.hpp"
#include "route_checks.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <algorithm>

namespace nocturne::path_cost_test {

namespace {

/// The same network with latencies from 1 to `most`, the two directions of a link drawn apart.
Topology with_random_latencies(const Topology& plain, std::uint64_t seed, unsigned most)
{
    SplitMix64 random(seed);
    Topology topology(plain.name() + " with latencies");
    for (RouterId id = 0; id < plain.router_count(); ++id)
        topology.add_router();
    for (const Processor& processor : plain.processors())
        topology.add_processor(processor.injection, processor.ejection);
    for (Channel channel : plain.channels()) {
        channel.latency_cycles = 1 + random.below(most);
        topology.add_channel(channel);
    }
    return topology;
}

/// A small network of every shape: trees with more links, rings of one-way channels, generated ones.
Topology random_network(std::uint64_t seed)
{
    const auto routers = static_cast<unsigned>(3 + seed % 9);
    if (seed % 3 == 0)
        return with_random_latencies(test::random_directed(seed, routers, static_cast<unsigned>(seed % 7)),
                                     seed, 30);
    if (seed % 3 == 1)
        return with_random_latencies(test::random_connected(seed, routers, static_cast<unsigned>(seed % 11)),
                                     seed, 30);
    const char* const specs[] = {"mesh:3x3", "torus:3x3", "hypercube:3", "kautz:2,2", "octagon:8"};
    return with_random_latencies(make_topology(specs[seed / 3 % 5]), seed, seed % 2 == 0 ? 3 : 30);
}

using Matrix = std::vector<std::vector<std::uint64_t>>;

/// The least sums of latencies, and of router cycles, between all routers.
Matrix least_latencies(const Topology& topology, std::uint64_t router_cycles)
{
    return test::least_costs(topology,
                             [=](const Channel& channel) { return router_cycles + channel.latency_cycles; });
}

std::uint64_t latency_of(const Topology& topology, const Route& route, std::uint64_t router_cycles)
{
    std::uint64_t sum = 0;
    for (const Hop& hop : route)
        sum += router_cycles + topology.channel(hop.channel).latency_cycles;
    return sum;
}

} // namespace

TEST_CASE("shortest paths and their layers have the least latency, routers counted", "[routing][path_cost]")
{
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        const Topology topology = random_network(seed);
        const auto router_cycles = static_cast<unsigned>(1 + seed % 6);
        const Matrix least = least_latencies(topology, router_cycles);
        const Routing routing = with_layers(topology, shortest_path(topology, {router_cycles, 1}));
        INFO(topology.name() << ", seed " << seed);
        test::for_all_pairs(topology, [&](ProcessorId source, ProcessorId destination) {
            if (latency_of(topology, routing.route(source, destination), router_cycles) !=
                least[source][destination])
                FAIL(source << " -> " << destination);
        });
        test::require_sound(topology, routing);
        test::require_deadlock_free(topology, routing);
        test::require_minimal(topology, make_routing(topology, "shortest_hops+layers"));
    }
}

TEST_CASE("adaptive routing allows the paths of least latency and no other", "[routing][path_cost]")
{
    int needed_escape = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        const Topology topology = random_network(seed);
        const Matrix least = least_latencies(topology, 3);
        const AdaptiveRouting routing(topology, {3, 1});
        INFO(topology.name() << ", seed " << seed);
        for (RouterId destination = 0; destination < topology.router_count(); ++destination) {
            const MinimalPaths paths = routing.paths_to(destination);
            for (const RouterId at : paths.routers()) {
                MinimalPaths::Channels expected;
                for (const ChannelId id : topology.channels_from(at)) {
                    const Channel& channel = topology.channel(id);
                    if (at != destination && least[at][destination] == 3 + channel.latency_cycles +
                                                                           least[channel.target][destination])
                        expected.push_back(id);
                }
                REQUIRE(paths.channels(at) == expected);
                if (!routing.has_escape() || at == destination)
                    continue;
                // The escape path ends at the destination, and is one of these.
                RouterId on_escape = at;
                for (std::size_t hops = 0; on_escape != destination; ++hops) {
                    REQUIRE(hops < topology.router_count());
                    const Hop& hop = routing.escape(on_escape, destination);
                    const MinimalPaths::Channels allowed = paths.channels(on_escape);
                    REQUIRE(std::find(allowed.begin(), allowed.end(), hop.channel) != allowed.end());
                    on_escape = topology.channel(hop.channel).target;
                }
            }
        }
        needed_escape += routing.has_escape() ? 1 : 0;
        REQUIRE(check_deadlock(topology, adaptive_routing(topology, {3, 1})).deadlock_free());
    }
    CHECK(needed_escape > 30);
}

TEST_CASE("up*/down* takes the legal path of least latency", "[routing][path_cost]")
{
    int faster = 0;
    for (std::uint64_t seed = 1; seed < 120; seed += 3) {
        const Topology topology = random_network(seed);
        const Matrix least = least_latencies(topology, 4);
        const Routing by_latency = up_down(topology);
        const Routing by_hops = up_down(topology, PathCost::hops());
        test::for_all_pairs(topology, [&](ProcessorId source, ProcessorId destination) {
            const Route route = by_latency.route(source, destination);
            const Route other = by_hops.route(source, destination);
            const std::uint64_t cycles = latency_of(topology, route, 4);
            // Both are legal: each is as good as the other by its own measure.
            if (cycles > latency_of(topology, other, 4) || other.size() > route.size() ||
                cycles < least[source][destination])
                FAIL(topology.name() << ": " << source << " -> " << destination);
            faster += cycles < latency_of(topology, other, 4) ? 1 : 0;
        });
        test::require_sound(topology, by_latency);
        test::require_deadlock_free(topology, by_latency);
    }
    CHECK(faster > 30);
}

TEST_CASE("what paths are minimal in is said where latencies differ", "[routing][path_cost]")
{
    const Topology topology =
        test::direct_network("detour", 3, test::both_ways({{0, 2, 50}, {0, 1}, {1, 2}}));
    CHECK(make_routing(topology, "shortest").route(0, 2).size() == 2);
    CHECK(make_routing(topology, "shortest_hops").route(0, 2).size() == 1);
    CHECK(make_routing(topology, "auto", 1, {60, 1}).route(0, 2).size() == 1); // slow routers
    CHECK(make_routing(topology, "shortest_hops").name == "shortest_hops");
    CHECK(minimal_text(topology, make_routing(topology, "auto", 1, {5, 2})) ==
          "least latency (5 cycles for a router and 2 times the latency of a link)");
    CHECK(minimal_text(topology, make_routing(topology, "valiant:updown_hops")) == "fewest hops");
    CHECK(minimal_text(topology, adaptive_routing(topology)) ==
          "least latency (4 cycles for a router and 1 times the latency of a link)");
    CHECK(minimal_text(make_topology("ring:5"), make_routing(make_topology("ring:5"), "auto")).empty());
    const Topology mesh = with_random_latencies(make_topology("mesh:3x3"), 1, 9);
    CHECK(latencies_differ(mesh));
}

TEST_CASE("a path too long to be counted is refused", "[routing][path_cost]")
{
    const Topology topology =
        test::direct_network("long way", 3, {{0, 1, 2'000'000'000}, {1, 2, 2'000'000'000}, {2, 0}});
    CHECK(shortest_path(topology).route(0, 1).size() == 1);
    CHECK_THROWS_WITH(shortest_path(topology).route(0, 2),
                      Catch::StartsWith("long way: ") &&
                          Catch::Contains("a path with it has a latency of more than 2^31 cycles"));
}

} // namespace nocturne::path_cost_test
