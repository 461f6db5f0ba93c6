#include "models/hardware/deadlock_watch.hpp"
#include "models/routing/datelines.hpp"
#include "models/routing/deadlock.hpp"
#include "models/routing/layers.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/routing/up_down.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/simulation.hpp"
#include "tests/models/routing/random_networks.hpp"
#include "tests/models/topology/all_networks.hpp"

namespace nocturne::stall_test {

namespace {

/// The class that virtual channel `vc` belongs to when `classes` share `vcs` equally.
std::uint32_t class_of(unsigned vc, unsigned vcs, unsigned classes)
{
    std::uint32_t c = 0;
    while ((c + 1) * vcs / classes <= vc)
        ++c;
    return c;
}

/// Requires that the run deadlocked, in a circle of waits that the static check knows.
void require_deadlock(const Network& network, const DependencyGraph& dependencies, unsigned classes)
{
    const std::vector<WaitEdge> cycle = find_waiting_cycle(network);
    REQUIRE_FALSE(cycle.empty());
    for (std::size_t i = 0; i < cycle.size(); ++i) {
        const WaitEdge& edge = cycle[i];
        const WaitEdge& next = cycle[(i + 1) % cycle.size()];
        REQUIRE(edge.wanted_link == next.link);
        REQUIRE(edge.wanted_vc == next.vc);
        REQUIRE(edge.link < network.topology().channel_count());
        const unsigned vcs = network.config().vcs;
        REQUIRE(dependencies.contains({edge.link, class_of(edge.vc, vcs, classes)},
                                      {edge.wanted_link, class_of(edge.wanted_vc, vcs, classes)}));
    }
}

/// All messages at once; is everything delivered? Requires that the static check and the run do not
/// contradict each other.
bool completes(const Topology& topology, const Routing& routing, HardwareConfig config,
               const std::vector<test::Message>& messages)
{
    CAPTURE(topology.name(), routing.name, config.vcs, config.buffer_flits);
    const DependencyCheck check = check_deadlock(topology, routing);
    test::Simulation simulation;
    Network network("network", topology, config, all_port, routing.vc_classes);
    test::Messenger messenger(network);
    for (const test::Message& message : messages)
        messenger.send(message, routing.route(message.source, message.destination));
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
        return true;
    }
    const Cycle end = network.domain().now();
    watch.look(end);
    REQUIRE_FALSE(watch.look(end + 100'000'000).empty());
    REQUIRE_FALSE(check.deadlock_free());
    require_deadlock(network, check.dependencies, routing.vc_classes);
    return false;
}

/// Long messages, all at once: to each other processor, in shifted order, or a random mixture.
std::vector<test::Message> long_messages(std::uint32_t processors, SplitMix64& random)
{
    std::vector<test::Message> messages;
    if (random.below(2) == 0) {
        for (std::uint32_t shift = 1; shift < processors; ++shift)
            for (ProcessorId source = 0; source < processors; ++source)
                messages.push_back({source, (source + shift) % processors, 40});
    } else {
        for (std::uint32_t i = 0; i < 10 * processors; ++i)
            messages.push_back({random.below(processors), random.below(processors), 1 + random.below(80)});
    }
    return messages;
}

/// Every processor of a ring sends a long message two places on.
std::vector<test::Message> two_places_on(std::uint32_t processors)
{
    std::vector<test::Message> messages;
    for (ProcessorId source = 0; source < processors; ++source)
        messages.push_back({source, (source + 2) % processors, 100});
    return messages;
}

} // namespace

TEST_CASE("a ring with one virtual channel deadlocks under long messages, with datelines and two it does not",
          "[hardware][deadlock]")
{
    const Topology ring = make_topology(GENERATE("ring:5", "ring:8", "ring:17"));
    const auto processors = static_cast<std::uint32_t>(ring.processor_count());
    HardwareConfig config;
    CHECK_FALSE(completes(ring, shortest_path(ring), config, two_places_on(processors)));
    const Routing datelines = with_datelines(ring, shortest_path(ring));
    REQUIRE(datelines.vc_classes == 2);
    config.vcs = GENERATE(2u, 3u, 4u);
    CHECK(completes(ring, datelines, config, two_places_on(processors)));
}

TEST_CASE("the cycle of a deadlocked ring goes once around it", "[hardware][deadlock]")
{
    test::Simulation simulation;
    Topology circle("circle"); // one way only: channel i leads from router i to the next
    for (int i = 0; i < 6; ++i)
        circle.add_processor(circle.add_router());
    for (RouterId id = 0; id < 6; ++id)
        circle.add_channel(id, (id + 1) % 6);
    const Routing routing = shortest_path(circle);
    Network network("network", circle, HardwareConfig{}, one_port);
    test::Messenger messenger(network);
    for (const test::Message& message : two_places_on(6))
        messenger.send(message, routing.route(message.source, message.destination));
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

TEST_CASE("no run deadlocks where the check says deadlock-free, and where one does the check knows the cycle",
          "[hardware][deadlock]")
{
    int deadlocks = 0;
    int free_networks = 0;
    for (std::uint64_t seed = 0; seed < 250; ++seed) {
        SplitMix64 random(seed);
        const unsigned routers = 3 + random.below(8);
        const Topology topology = random.below(3) == 0
                                      ? test::random_directed(seed, routers, 1 + random.below(routers))
                                      : test::random_connected(seed, routers, random.below(5));
        HardwareConfig config;
        config.buffer_flits = 1 + random.below(6);
        std::vector<Routing> routings{shortest_path(topology),
                                      with_layers(topology, shortest_path(topology))};
        const auto messages = long_messages(routers, random);
        for (const Routing& routing : routings) {
            config.vcs = routing.vc_classes + random.below(2);
            const bool done = completes(topology, routing, config, messages);
            deadlocks += done ? 0 : 1;
            free_networks += check_deadlock(topology, routing).deadlock_free() ? 1 : 0;
        }
    }
    CHECK(deadlocks > 30);
    CHECK(free_networks > 250);
}

TEST_CASE("auto routing never deadlocks under long messages, on any kind of network", "[hardware][deadlock]")
{
    SplitMix64 random(1);
    for (const std::string& spec : test::small_networks()) {
        const Topology topology = make_topology(spec);
        if (topology.processor_count() > 32)
            continue;
        const Routing routing = make_routing(topology, "auto");
        HardwareConfig config;
        config.buffer_flits = 1 + random.below(8);
        config.vcs = routing.vc_classes;
        const auto processors = static_cast<std::uint32_t>(topology.processor_count());
        REQUIRE(completes(topology, routing, config, long_messages(processors, random)));
    }
}

TEST_CASE("up*/down* never deadlocks", "[hardware][deadlock]")
{
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SplitMix64 random(seed);
        const unsigned routers = 3 + random.below(10);
        const Topology topology = test::random_connected(seed, routers, random.below(8));
        HardwareConfig config;
        config.buffer_flits = 1 + random.below(3);
        REQUIRE(completes(topology, up_down(topology), config, long_messages(routers, random)));
    }
}

} // namespace nocturne::stall_test
