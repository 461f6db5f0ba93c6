#include "models/network/zero_load.hpp"
#include "models/routing/adaptive.hpp"
#include "models/routing/make_routing.hpp"
#include "models/routing/paths.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/random_hardware.hpp"
#include "tests/models/hardware/simulation.hpp"
#include "tests/models/topology/all_networks.hpp"
#include "tests/models/topology/direct_network.hpp"

#include <algorithm>

namespace nocturne::zero_load_test {

namespace {

/// Sends one message now, over a route or by a routing; requires that its last flit is not there before
/// `cycles` have passed, and there then.
template <typename Way>
void require_exactly(Network& network, test::Messenger& messenger, test::Message message, const Way& way,
                     std::uint64_t cycles)
{
    message.at = network.domain().now();
    const std::uint32_t number = messenger.send(message, way);
    test::run_before(network.domain(), message.at + cycles);
    REQUIRE_FALSE(messenger.arrival_of(number).has_value());
    test::run_through(network.domain(), message.at + cycles);
    REQUIRE(messenger.arrival_of(number) == message.at + cycles);
    test::run_to_end(); // the credits are home before the next message starts
}

/// Of messages by the routing, which takes shortest paths.
void require_zero_load(const Topology& topology, const HardwareConfig& config, PortModel ports,
                       SplitMix64& random, const Routing& routing)
{
    CAPTURE(topology.name(), routing.name, config.vcs, config.flit_bytes, config.link_cycles);
    test::Simulation simulation;
    const Routing shortest = shortest_path(topology);
    Network network("network", topology, config, ports, routing);
    test::Messenger messenger(network);
    const auto processors = static_cast<std::uint32_t>(topology.processor_count());
    for (const std::uint32_t flits : {1u, 2u, 1 + random.below(20), 50 + random.below(150)}) {
        const test::Message message{random.below(processors), random.below(processors), flits};
        const Route route = shortest.route(message.source, message.destination);
        const RouterId first = topology.processor(message.source).injection;
        const std::uint64_t exact =
            zero_load_cycles(topology, config, route, flits, network.domain().now(), first);
        require_exactly(network, messenger, message, routing, exact);
        const ZeroLoadBounds bounds = zero_load_bounds(topology, config, route, flits, first);
        REQUIRE(bounds.least <= exact);
        REQUIRE(exact <= bounds.most);
    }
    REQUIRE(network.packets().in_flight() == 0);
    if (routing.adaptive() == nullptr)
        return;
    // Nothing is in its way. Behind longer channels a buffer may be too small for the time that a credit
    // takes, which the formula knows.
    REQUIRE(network.blocked_cycles() == network.credit_wait_cycles());
    if (std::ranges::all_of(topology.channels(),
                            [](const Channel& each) { return each.latency_cycles == 1; }))
        REQUIRE(network.blocked_cycles() == 0);
}

void require_zero_load(const Topology& topology, const HardwareConfig& config, PortModel ports,
                       SplitMix64& random)
{
    require_zero_load(topology, config, ports, random, shortest_path(topology));
}

/// Two routers; the first sends over the channel that its buffer depth is about.
Topology two_routers(unsigned latency_cycles, unsigned width_bytes = 0)
{
    return test::direct_network("two routers", 2,
                                {{0, 1, latency_cycles, width_bytes}, {1, 0, latency_cycles}});
}

struct LongMessage {
    Cycle latency;
    std::optional<std::uint64_t> blocked_cycles;
};

LongMessage send_long_message(const Topology& topology, const HardwareConfig& config)
{
    test::Simulation simulation;
    Network network("network", topology, config, one_port);
    test::Messenger messenger(network);
    messenger.send({0, 1, 300}, {Hop{0}});
    test::run_to_end();
    return {messenger.last_arrival(), network.blocked_cycles()};
}

} // namespace

TEST_CASE("an uncontended message takes exactly the formula's cycles, whatever the network and its hardware",
          "[hardware][zero_load]")
{
    std::uint64_t seed = 0;
    for (const std::string& spec : test::small_networks()) {
        SplitMix64 random(++seed);
        const Topology topology = make_topology(spec);
        const PortModel ports{random.below(3)};
        require_zero_load(topology, HardwareConfig{}, ports, random);
        require_zero_load(topology, test::random_config(random), ports, random);
        for (int i = 0; i < 4; ++i)
            require_zero_load(test::with_random_channels(topology, random), test::random_config(random),
                              ports, random);
    }
    SplitMix64 random(1);
    for (const char* spec :
         {"mesh:16x16", "star:200", "omega:128", "kautz:3,4", "fattree:4,3", "complete:40"})
        require_zero_load(test::with_random_channels(make_topology(spec), random),
                          test::random_config(random), one_port, random);
}

TEST_CASE("an uncontended message takes exactly the formula's cycles where routers choose its path, whatever "
          "their selection",
          "[hardware][zero_load][adaptive]")
{
    std::uint64_t seed = 0;
    for (const std::string& spec : test::small_networks()) {
        SplitMix64 random(++seed);
        const Topology topology = make_topology(spec);
        const Routing routing = adaptive_routing(topology);
        for (HardwareConfig config : {HardwareConfig{}, test::random_config(random)}) {
            config.vcs = routing.vc_classes + random.below(4);
            if (const std::uint32_t selection = random.below(6); selection < 5)
                config.selection = static_cast<Selection>(selection);
            require_zero_load(topology, config, one_port, random, routing);
        }
    }
}

TEST_CASE("an uncontended message takes exactly the formula's cycles where routers have parts of their own",
          "[hardware][zero_load][parts]")
{
    std::uint64_t seed = 500;
    for (const std::string& spec : test::small_networks()) {
        SplitMix64 random(++seed);
        const Topology plain = make_topology(spec);
        const PortModel ports{random.below(3)};
        for (int i = 0; i < 4; ++i) {
            HardwareConfig config = test::random_config(random);
            config.cycle_ns = test::whole_cycle_ns;
            config.synchronizer_cycles = 1 + random.below(4);
            const test::RandomParts parts{
                .clocks = i % 2 == 1, .arbiters = true, .least_vcs = 1, .rates = i > 1};
            require_zero_load(
                test::with_random_parts(test::with_random_channels(plain, random), random, parts), config,
                ports, random);
        }
    }
}

TEST_CASE("some phase of the clocks has the bounds of a message that crosses them, and none exceeds them",
          "[hardware][zero_load][parts]")
{
    SplitMix64 random(5);
    for (int i = 0; i < 30; ++i) {
        const Topology topology = test::with_random_parts(
            test::with_random_channels(make_topology("ring:6"), random), random, {.clocks = true});
        HardwareConfig config = test::random_config(random);
        config.cycle_ns = test::whole_cycle_ns;
        const Route route = shortest_path(topology).route(0, 2);
        const std::uint64_t flits = 1 + random.below(20);
        const ZeroLoadBounds bounds = zero_load_bounds(topology, config, route, flits);
        REQUIRE(bounds.are_exact);
        std::uint64_t least = ~0ull, most = 0;
        for (std::uint64_t created = 1000; created < 1000 + 12; ++created) {
            const std::uint64_t cycles = zero_load_cycles(topology, config, route, flits, created);
            least = std::min(least, cycles);
            most = std::max(most, cycles);
        }
        REQUIRE(bounds == ZeroLoadBounds{least, most, true});
    }
    // More phases than are tried.
    Topology topology = make_topology("ring:6");
    const unsigned primes[] = {101, 103, 107, 109, 113, 127};
    for (RouterId id = 0; id < 6; ++id) {
        RouterPart part;
        part.clock = {100, primes[id]};
        topology.set_part(id, part);
    }
    const Route route = shortest_path(topology).route(0, 3);
    const ZeroLoadBounds bounds = zero_load_bounds(topology, {}, route, 10);
    REQUIRE_FALSE(bounds.are_exact);
    for (std::uint64_t created = 0; created < 20'000; created += 1 + random.below(9)) {
        const std::uint64_t cycles = zero_load_cycles(topology, {}, route, 10, created);
        REQUIRE(bounds.least <= cycles);
        REQUIRE(cycles <= bounds.most);
    }
}

TEST_CASE("a synchronizer costs its cycles of the receiving clock, and the wait for its edge",
          "[hardware][zero_load][parts]")
{
    // From the interface (0) to a router at half the clock, and back: 12 cycles of delay 1 on one clock.
    Topology topology = two_routers(1);
    RouterPart half;
    half.clock = {1, 2};
    topology.set_part(1, half);
    HardwareConfig config;
    config.synchronizer_cycles = GENERATE(1u, 2u, 5u);
    test::Simulation simulation;
    Network network("network", topology, config, one_port);
    test::Messenger messenger(network);
    // Created in cycle 0, the head is on the injection link in 1, at the first router in 2, leaves it after 4
    // and is at the end of the link in cycle 7: edge 4 of the slow clock. Router and ejection link take 5 of
    // its cycles; an edge of the slow clock is one of the network's.
    const Cycle expected = 2 * (4 + config.synchronizer_cycles + 5) + config.synchronizer_cycles;
    require_exactly(network, messenger, {0, 1, 1}, Route{Hop{0}}, expected);
    CHECK(zero_load_bounds(topology, config, {Hop{0}}, 1) == ZeroLoadBounds{expected - 1, expected, true});
}

TEST_CASE(
    "a message takes a router's cycles for each on its way, two for the interface, and one for each other "
    "flit",
    "[hardware][zero_load]")
{
    const auto [pipeline, cycles] = GENERATE(table<Pipeline, unsigned>({{wormhole_router_pipeline, 4},
                                                                        {lookahead_pipeline, 3},
                                                                        {speculative_pipeline, 3},
                                                                        {lookahead_speculative_pipeline, 2},
                                                                        {crossbar_switch_pipeline, 2}}));
    HardwareConfig config;
    config.router = pipeline;
    config.vcs = GENERATE(1u, 4u);
    test::Simulation simulation;
    const Topology mesh = make_topology("mesh:4x5");
    const Routing routing = make_routing(mesh, "dor");
    Network network("network", mesh, config, one_port);
    test::Messenger messenger(network);
    SplitMix64 random(3);
    for (ProcessorId destination = 0; destination < 20; ++destination) {
        const std::uint32_t flits = 1 + random.below(30);
        const unsigned routers = 1 + destination / 5 + destination % 5;
        require_exactly(network, messenger, {0, destination, flits}, routing.route(0, destination),
                        (cycles + 1) * routers + 2 + (flits - 1));
    }
    CHECK(network.blocked_cycles() == 0);
}

TEST_CASE("full_rate_buffer_flits is enough for a flit a cycle, and one less is not", "[hardware][zero_load]")
{
    HardwareConfig config;
    config.router = GENERATE(Pipeline{}, Pipeline{0, 1, 0, 0}, Pipeline{3, 1, 2, 0}, Pipeline{0, 2, 1, 3});
    config.link_cycles = GENERATE(1u, 2u);
    config.credit_cycles = GENERATE(0u, 2u);
    const Topology topology = two_routers(GENERATE(1u, 5u));
    const unsigned latency = topology.channel(0).latency_cycles * config.link_cycles;
    const std::uint64_t exact = zero_load_cycles(topology, config, {Hop{0}}, 300);
    const unsigned enough = config.full_rate_buffer_flits(config.router, latency);

    config.buffer_flits = enough;
    CHECK(send_long_message(topology, config).latency == exact);
    CHECK(send_long_message(topology, config).blocked_cycles == 0);
    config.buffer_flits = enough - 1;
    CHECK(send_long_message(topology, config).blocked_cycles > 0);

    // A stall while the head is routed costs the message nothing yet; less than the round trip does.
    const unsigned head_ahead = config.router.head_cycles();
    config.buffer_flits = enough - head_ahead;
    CHECK(send_long_message(topology, config).latency == exact);
    config.buffer_flits = enough - head_ahead - 1;
    CHECK(send_long_message(topology, config).latency > exact);
}

TEST_CASE("a link narrower than a flit passes a flit every so many cycles", "[hardware][zero_load]")
{
    const unsigned width = GENERATE(1u, 2u, 3u, 4u, 7u, 8u, 100u);
    const unsigned cycles_per_flit = (8 + width - 1) / width;
    const Topology topology = two_routers(1, width);
    HardwareConfig config;
    config.flit_bytes = 8;
    test::Simulation simulation;
    Network network("network", topology, config, one_port);
    test::Messenger messenger(network);
    // 5 cycles each for two routers, 2 for the interface and its link, and the time on the narrow link.
    require_exactly(network, messenger, {0, 1, 1}, Route{Hop{0}}, 12 + (cycles_per_flit - 1));
    // All others leave the narrow link at its rate. The second router is fast again: they gain the two cycles
    // there that only a head waits, for its route and its virtual channel, but cannot overtake it.
    const unsigned behind_head = cycles_per_flit == 1 ? 99 : 99 * cycles_per_flit - 2;
    require_exactly(network, messenger, {0, 1, 100}, Route{Hop{0}}, 12 + (cycles_per_flit - 1) + behind_head);
}

TEST_CASE("no path is faster than the one of least latency, whatever the hardware", "[hardware][zero_load]")
{
    SplitMix64 random(11);
    for (int i = 0; i < 40; ++i) {
        const HardwareConfig config = test::random_config(random);
        Topology topology = test::direct_network("ring with chords", 7);
        const auto join = [&](RouterId a, RouterId b) {
            const unsigned latency = 1 + random.below(20);
            topology.add_channel({a, b, latency});
            topology.add_channel({b, a, latency});
        };
        for (RouterId id = 0; id < 7; ++id)
            join(id, (id + 1) % 7);
        for (int chord = 0; chord < 4; ++chord) {
            const RouterId from = random.below(7);
            join(from, (from + 2 + random.below(4)) % 7);
        }
        const Routing routing = make_routing(topology, "shortest", 1, config.path_cost_on(topology));
        for (ProcessorId to = 1; to < 7; ++to) {
            const std::uint64_t taken = zero_load_cycles(topology, config, routing.route(0, to), 1);
            PathEnumerator paths(topology, 0, to, 7);
            while (const auto path = paths.next()) {
                Route route;
                for (const ChannelId id : *path)
                    route.push_back({id});
                REQUIRE(taken <= zero_load_cycles(topology, config, route, 1));
            }
        }
    }
}

} // namespace nocturne::zero_load_test
