// What the check of dependencies calls free of deadlock against networks that have more than they can carry.
#include "models/hardware/deadlock_watch.hpp"
#include "models/network/clocks.hpp"
#include "models/routing/deadlock.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/paths.hpp"
#include "models/routing/random.hpp"
#include "models/routing/route_table.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/path.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/simulation.hpp"
#include "tests/models/routing/random_networks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne::deadlock_agreement_test {

namespace {

/// A path without slack or with some, of the first few.
TableRoute random_route(const Topology& topology, ProcessorId source, ProcessorId destination,
                        unsigned classes, SplitMix64& random)
{
    TableRoute route{source, destination, {}, {}, "table"};
    PathEnumerator paths(topology, source, destination, random.below(3));
    Path chosen = *paths.next();
    for (std::uint32_t more = random.below(6); more > 0; --more)
        if (const auto next = paths.next())
            chosen = *next;
    route.routers = {topology.processor(source).injection};
    for (const ChannelId id : chosen) {
        route.routers.push_back(topology.channel(id).target);
        route.classes.push_back(random.below(classes));
    }
    return route;
}

Routing random_table(const Topology& topology, SplitMix64& random)
{
    const unsigned classes = 1 + random.below(2);
    std::vector<TableRoute> table;
    for (ProcessorId source = 0; source < topology.processor_count(); ++source)
        for (ProcessorId destination = 0; destination < topology.processor_count(); ++destination)
            if (source != destination)
                table.push_back(random_route(topology, source, destination, classes, random));
    return routes_of_table(topology, "table", table);
}

Topology random_topology(std::uint64_t seed, SplitMix64& random)
{
    const auto extents = [&](const char* kind, unsigned least) {
        return make_topology(std::string(kind) + std::to_string(least + random.below(3)) + 'x' +
                             std::to_string(least + random.below(3)));
    };
    switch (random.below(6)) {
    case 0:
        return extents("mesh:", 2);
    case 1:
        return extents("torus:", 2);
    case 2:
        return extents("oneway_torus:", 2);
    case 3: {
        const unsigned routers = 2 + random.below(3);
        return make_topology(fmt::format("dragonfly:1,{},1,{}", routers, 2 + random.below(routers)));
    }
    case 4:
        return test::random_directed(seed, 3 + random.below(5), random.below(6));
    default:
        return test::random_connected(seed, 3 + random.below(6), random.below(6));
    }
}

/// A routing, and what the check says of it.
struct Judged {
    Routing routing;
    bool is_free;
    bool is_table = false;
};

Judged judged(const Topology& topology, Routing routing)
{
    const bool is_free = check_deadlock(topology, routing).deadlock_free();
    return {std::move(routing), is_free};
}

/// One that the network can have: half of them tables.
Judged random_routing(const Topology& topology, SplitMix64& random)
{
    constexpr const char* names[] = {"dor",
                                     "dor+datelines",
                                     "yx",
                                     "shortest",
                                     "shortest+layers",
                                     "updown",
                                     "valiant",
                                     "adaptive",
                                     "west_first",
                                     "north_last",
                                     "odd_even",
                                     "o1turn",
                                     "ugal",
                                     "negative_first",
                                     "romm",
                                     "auto",
                                     "lgl",
                                     "valiant:lgl",
                                     "ugal:lgl",
                                     "ugal_global:lgl",
                                     "ugal_global",
                                     "dor_random+crossing"};
    for (int tries = 0; tries < 10; ++tries) {
        const std::uint32_t drawn = random.below(2 * static_cast<std::uint32_t>(std::size(names)));
        if (drawn >= std::size(names))
            break;
        try {
            return judged(topology, make_routing(topology, names[drawn], random.below(1000)));
        } catch (const std::invalid_argument&) {
            // not for this network
        }
    }
    Judged table = judged(topology, random_table(topology, random));
    table.is_table = true;
    return table;
}

/// Do all messages of an overload arrive?
bool drains(const Topology& topology, const Routing& routing, SplitMix64& random)
{
    HardwareConfig config;
    config.cycle_ns = test::whole_cycle_ns;
    config.vcs = routing.vc_classes;
    config.buffer_flits = 1 + random.below(3);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    const std::uint32_t longest = 4 + random.below(20);
    test::Simulation simulation;
    Network network("network", topology, config, one_port, routing);
    test::Messenger messenger(network);
    const std::uint32_t messages = 12 * processors;
    for (std::uint32_t i = 0; i < messages; ++i)
        messenger.send(
            {random.below(processors), random.below(processors), 1 + random.below(longest), random.below(20)},
            routing);
    test::run_to_end();
    const bool has_drained = messenger.arrivals().size() == messages;
    REQUIRE(has_drained == find_waiting_cycle(network).empty());
    return has_drained;
}

} // namespace

TEST_CASE("no network stalls under overload that the check of dependencies calls free of deadlock",
          "[hardware][deadlock]")
{
    int free = 0, stalled = 0, tables_free = 0;
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        SplitMix64 random(seed);
        const Topology topology = random_topology(seed, random);
        const auto [routing, is_free, is_table] = random_routing(topology, random);
        CAPTURE(seed, topology.name(), routing.name);
        const bool has_drained = drains(topology, routing, random);
        REQUIRE((has_drained || !is_free));
        free += is_free ? 1 : 0;
        tables_free += is_free && is_table ? 1 : 0;
        stalled += has_drained ? 0 : 1;
    }
    CHECK(free > 150);
    CHECK(tables_free > 20);
    CHECK(stalled > 20); // so overload does find what the check finds
}

TEST_CASE("nor does one whose routers and links have parts of their own", "[hardware][deadlock][parts]")
{
    int free = 0, refused = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        SplitMix64 random(seed + 40'000);
        const Topology topology = test::with_random_parts(random_topology(seed, random), random,
                                                          {.clocks = seed % 2 == 0,
                                                           .buffers = true,
                                                           .arbiters = true,
                                                           .least_vcs = 1 + random.below(4),
                                                           .most_vcs = 6});
        const auto [routing, is_free, is_table] = random_routing(topology, random);
        CAPTURE(seed, topology.name(), routing.name);
        HardwareConfig config;
        config.cycle_ns = test::whole_cycle_ns;
        config.vcs = routing.vc_classes;
        bool has_channels = true;
        for (ChannelId id = 0; id < topology.channel_count(); ++id)
            has_channels =
                has_channels && config.vcs_of(topology, topology.channel(id)) >= routing.vc_classes.used(id);
        const auto choice = routing.choice();
        const bool looks_into_routers = choice && choice->knowledge == QueueKnowledge::global;
        if (!has_channels) { // a class without a virtual channel is no longer what was checked
            ++refused;
            test::Simulation simulation;
            REQUIRE_THROWS_WITH(Network("network", topology, config, one_port, routing),
                                Catch::Contains("the routing needs "));
            continue;
        }
        if (looks_into_routers && has_own_clocks(topology)) {
            test::Simulation simulation;
            REQUIRE_THROWS_WITH(Network("network", topology, config, one_port, routing),
                                Catch::Contains("looks into routers in the same cycle"));
            continue;
        }
        REQUIRE((drains(topology, routing, random) || !is_free));
        free += is_free ? 1 : 0;
    }
    CHECK(free > 50);
    CHECK(refused > 5);
}

} // namespace nocturne::deadlock_agreement_test
