// Networks that have more than they can carry, and what the check of dependencies says of them.
#include "models/hardware/deadlock_watch.hpp"
#include "models/network/clocks.hpp"
#include "models/routing/deadlock.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/paths.hpp"
#include "models/routing/route_table.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "models/topology/path.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/simulation.hpp"
#include "tests/models/routing/random_networks.hpp"
#include "tests/models/topology/all_networks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace nocturne::stall_test {

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
    const auto extents = [&](const char* kind) {
        const unsigned rows = 2 + random.below(3), columns = 2 + random.below(3);
        return make_topology(fmt::format("{}:{}x{}", kind, rows, columns));
    };
    switch (random.below(6)) {
    case 0:
        return extents("mesh");
    case 1:
        return extents("torus");
    case 2:
        return extents("oneway_torus");
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
    Judged(const Topology& topology, Routing of)
        : routing(std::move(of)), check(check_deadlock(topology, routing))
    {
    }
    Routing routing;
    DependencyCheck check;
    bool is_table = false;
};

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
                                     "dor_random+crossing",
                                     "shortest+datelines"};
    for (int tries = 0; tries < 10; ++tries) {
        const std::uint32_t drawn = random.below(2 * static_cast<std::uint32_t>(std::size(names)));
        if (drawn >= std::size(names))
            break;
        try {
            return {topology, make_routing(topology, names[drawn], random.below(1000))};
        } catch (const std::invalid_argument&) {
            // not for this network
        }
    }
    Judged table(topology, random_table(topology, random));
    table.is_table = true;
    return table;
}

/// Requires that the run deadlocked, in a circle of waits that the static check knows.
void require_deadlock(const Network& network, const Judged& judged)
{
    const Topology& topology = network.topology();
    const auto class_of = [&](std::uint32_t link, unsigned vc) {
        const auto shares =
            judged.routing.vc_classes.shares(link, network.config().vcs_of(topology, topology.channel(link)));
        const auto of = std::ranges::find_if(
            shares, [vc](const auto& range) { return range.first <= vc && vc < range.first + range.count; });
        return static_cast<std::uint32_t>(of - shares.begin());
    };
    const std::vector<WaitEdge> cycle = find_waiting_cycle(network);
    REQUIRE_FALSE(cycle.empty());
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        const WaitEdge& edge = cycle[i];
        const WaitEdge& next = cycle[(i + 1) % cycle.size()];
        REQUIRE(edge.wanted_link == next.link);
        REQUIRE(edge.wanted_vc == next.vc);
        REQUIRE(edge.link < topology.channel_count());
        REQUIRE(judged.check.dependencies.contains(
            {edge.link, class_of(edge.link, edge.vc)},
            {edge.wanted_link, class_of(edge.wanted_link, edge.wanted_vc)}));
    }
}

/// Do all of the messages arrive? Requires that it is only where the check finds a circle that they do not.
bool drains(const Topology& topology, const Judged& judged, const HardwareConfig& config, PortModel ports,
            const std::vector<test::Message>& messages)
{
    const Routing& routing = judged.routing;
    CAPTURE(topology.name(), routing.name, config.vcs, config.buffer_flits);
    test::Simulation simulation;
    Network network("network", topology, config, ports, routing);
    test::Messenger messenger(network);
    for (const test::Message& message : messages)
        messenger.send(message, routing);
    // The watch knows as soon as there is a deadlock, and never says that there is one where there is none.
    DeadlockWatch watch(network);
    bool has_deadlock = false;
    for (Cycle cycle = 0; cycle == 0 || sc_core::sc_pending_activity(); cycle += 50) {
        test::run_before(network.domain(), cycle);
        has_deadlock = has_deadlock || !watch.look(cycle).empty();
    }
    if (network.packets().in_flight() == 0) {
        REQUIRE_FALSE(has_deadlock);
        REQUIRE(messenger.arrivals().size() == messages.size());
        REQUIRE(find_waiting_cycle(network).empty());
        REQUIRE(network.credits_under_way() == 0);
        for (const auto& router : network.routers())
            REQUIRE(router->waits().empty());
        return true;
    }
    const Cycle end = network.domain().now();
    watch.look(end);
    REQUIRE_FALSE(watch.look(end + 100'000'000).empty());
    REQUIRE_FALSE(judged.check.deadlock_free());
    require_deadlock(network, judged);
    return false;
}

/// All at once or over a while, short or long; or long ones from each to each other one, in shifted order.
std::vector<test::Message> overload(const Topology& topology, SplitMix64& random)
{
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    if (processors > 32 || random.below(3) != 0)
        return test::random_messages(topology,
                                     {std::min(12 * processors, 400u), random.below(2) == 0 ? 4u : 80u,
                                      random.below(2) == 0 ? 20u : 300u},
                                     random);
    std::vector<test::Message> messages;
    for (std::uint32_t shift = 1; shift < processors; ++shift)
        for (ProcessorId source = 0; source < processors; ++source)
            messages.push_back({source, (source + shift) % processors, 40});
    return messages;
}

/// Few virtual channels and small buffers.
HardwareConfig tight_config(const Routing& routing, SplitMix64& random)
{
    HardwareConfig config;
    config.cycle_ns = test::whole_cycle_ns;
    config.vcs = routing.vc_classes + (random.below(2) == 0 ? 0 : random.below(3));
    config.buffer_flits = 1 + random.below(4);
    return config;
}

} // namespace

TEST_CASE("no network stalls under overload that the check of dependencies calls free of deadlock, and where "
          "one does the check knows the circle",
          "[hardware][deadlock]")
{
    int free = 0, stalled = 0, tables_free = 0;
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
        SplitMix64 random(seed);
        const Topology topology = random_topology(seed, random);
        const Judged judged = random_routing(topology, random);
        CAPTURE(seed);
        const HardwareConfig config = tight_config(judged.routing, random);
        const bool has_drained = drains(topology, judged, config, random.below(2) == 0 ? one_port : all_port,
                                        overload(topology, random));
        free += judged.check.deadlock_free() ? 1 : 0;
        tables_free += judged.check.deadlock_free() && judged.is_table ? 1 : 0;
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
                                                           .most_vcs = 6,
                                                           .rates = seed % 3 == 0});
        const Judged judged = random_routing(topology, random);
        const Routing& routing = judged.routing;
        CAPTURE(seed, topology.name(), routing.name);
        const HardwareConfig config = tight_config(routing, random);
        bool has_channels = true;
        for (ChannelId id = 0; id < topology.channel_count(); ++id)
            has_channels =
                has_channels && config.vcs_of(topology, topology.channel(id)) >= routing.vc_classes.used(id);
        const auto choice = routing.choice();
        const bool looks_into_routers = choice && choice->knowledge == QueueKnowledge::global;
        // A class without a virtual channel is no longer what was checked.
        if (!has_channels || (looks_into_routers && has_own_clocks(topology))) {
            refused += has_channels ? 0 : 1;
            test::Simulation simulation;
            REQUIRE_THROWS_WITH(Network("network", topology, config, one_port, routing),
                                Catch::Contains(has_channels ? "looks into routers in the same cycle"
                                                             : "the routing needs "));
            continue;
        }
        drains(topology, judged, config, one_port, overload(topology, random));
        free += judged.check.deadlock_free() ? 1 : 0;
    }
    CHECK(free > 50);
    CHECK(refused > 5);
}

TEST_CASE("with auto every message arrives once and intact, on every kind of network and with any hardware",
          "[hardware][deadlock][traffic]")
{
    SplitMix64 random(1);
    std::vector<std::string> specs = test::small_networks();
    specs.insert(specs.end(), {"star:200", "complete:70"}); // more ports than a word has bits
    for (const std::string& spec : specs)
        for (const bool is_usual : {true, false}) {
            Topology topology = make_topology(spec);
            if (!is_usual)
                topology = test::with_random_channels(topology, random);
            const Judged judged(topology, make_routing(topology, "auto"));
            REQUIRE(judged.check.deadlock_free());
            HardwareConfig config =
                is_usual ? tight_config(judged.routing, random) : test::random_config(random);
            config.vcs = std::max({config.vcs, judged.routing.vc_classes.count(),
                                   topology.router_count() > 60 && is_usual ? 32u : 1u});
            if (!is_usual)
                config.buffer_flits = random.below(6);
            drains(topology, judged, config, PortModel{random.below(3)}, overload(topology, random));
        }
}

TEST_CASE("the cycle of a deadlocked ring goes once around it", "[hardware][deadlock]")
{
    test::Simulation simulation;
    const Topology circle = make_topology("oneway_torus:6"); // channel i leads from router i to the next
    const Routing routing = shortest_path(circle);
    Network network("network", circle, HardwareConfig{}, one_port);
    test::Messenger messenger(network);
    for (ProcessorId source = 0; source < 6; ++source) // two places on
        messenger.send({source, (source + 2) % 6, 100}, routing.route(source, (source + 2) % 6));
    test::run_to_end();
    CHECK(messenger.arrivals().empty());
    CHECK(network.packets().in_flight() == 6);
    const std::vector<WaitEdge> cycle = find_waiting_cycle(network);
    REQUIRE(cycle.size() == 6);
    for (const WaitEdge& edge : cycle) {
        CHECK(edge.wanted_link == (edge.link + 1) % 6);
        // The packet that holds channel i came from router i.
        CHECK(network.packets()[edge.packet].source == edge.link);
    }
}

} // namespace nocturne::stall_test
