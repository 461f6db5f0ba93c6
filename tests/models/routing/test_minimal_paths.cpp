#include "models/routing/distances.hpp"
#include "models/routing/minimal_paths.hpp"
#include "models/routing/paths.hpp"
#include "models/topology/make_topology.hpp"
#include "random_networks.hpp"
#include "tests/catch.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace nocturne::minimal_paths_test {

namespace {

/// By router the channels that follow it on some minimal path from a processor to one of the router's.
std::map<RouterId, std::set<ChannelId>> ways_by_enumeration(const Topology& topology, ProcessorId destination)
{
    std::map<RouterId, std::set<ChannelId>> result;
    result[topology.processor(destination).ejection];
    for (ProcessorId source = 0; source < topology.processor_count(); ++source) {
        PathEnumerator paths(topology, source, destination);
        while (const auto path = paths.next())
            for (const ChannelId id : *path)
                result[topology.channel(id).source].insert(id);
    }
    return result;
}

void require_ways(const Topology& topology)
{
    for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination) {
        CAPTURE(topology.name(), destination);
        const RouterId router = topology.processor(destination).ejection;
        const MinimalPaths ways(topology, router);
        const auto expected = ways_by_enumeration(topology, destination);
        REQUIRE(ways.routers().size() == expected.size());
        REQUIRE(ways.routers().front() == router);
        const auto distance = distances_to(topology, router);
        REQUIRE(std::is_sorted(ways.routers().begin(), ways.routers().end(),
                               [&](RouterId a, RouterId b) { return distance[a] < distance[b]; }));
        for (const auto& [at, channels] : expected) {
            const auto found = ways.channels(at);
            REQUIRE(std::set<ChannelId>(found.begin(), found.end()) == channels);
            REQUIRE(found.size() == channels.size());
        }
    }
}

} // namespace

TEST_CASE("the ways to a router are those of all minimal paths", "[routing][ways]")
{
    for (const char* spec : {"omega:8", "benes:2,3", "fattree:8", "mesh:3x4", "torus:4x4", "hypercube:3",
                             "kautz:2,3", "octagon:8", "fat_octagon:8", "coated_mesh:3x3", "star:5"})
        require_ways(make_topology(spec));
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto routers = static_cast<unsigned>(2 + seed % 9);
        const auto extra = static_cast<unsigned>(seed % 11); // parallel channels among them
        require_ways(seed % 2 == 0 ? test::random_directed(seed, routers, extra)
                                   : test::random_connected(seed, routers, extra));
    }
}

TEST_CASE("a processor without a way to the router is named", "[routing][ways]")
{
    const Topology line = test::direct_network("line", 2, {{0, 1}});
    CHECK(MinimalPaths(line, 1).routers() == std::vector<RouterId>{1, 0});
    CHECK_THROWS_WITH(MinimalPaths(line, 0), "line: no path from processor 1 to router 0");
}

TEST_CASE("the ejection routers are those with processors to eject to", "[routing][ways]")
{
    const Topology omega = make_topology("omega:8");
    CHECK(ejection_routers(omega) == std::vector<RouterId>{8, 9, 10, 11});
    CHECK(ejection_routers(make_topology("mesh:2x2")) == std::vector<RouterId>{0, 1, 2, 3});
}

} // namespace nocturne::minimal_paths_test
