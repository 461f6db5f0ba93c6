#include "models/network/zero_load.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/messenger.hpp"
#include "tests/models/hardware/simulation.hpp"

namespace nocturne::router_test {

namespace {

/// A network with one-port processors and messages over shortest paths.
struct Bench {
    Bench(const std::string& spec, const HardwareConfig& config) : Bench(make_topology(spec), config) {}
    Bench(Topology made, const HardwareConfig& config)
        : topology(std::move(made)), routing(shortest_path(topology)),
          network("network", topology, config, one_port), messenger(network)
    {
    }
    std::uint32_t send(const test::Message& message)
    {
        return messenger.send(message, routing.route(message.source, message.destination));
    }
    Cycle zero_load(const test::Message& message) const
    {
        return zero_load_cycles(topology, network.config(),
                                routing.route(message.source, message.destination), message.flits);
    }

    test::Simulation simulation;
    Topology topology;
    Routing routing;
    Network network;
    test::Messenger messenger;
};

} // namespace

TEST_CASE("a contended output is idle for a cycle between packets, with two virtual channels never",
          "[hardware][router]")
{
    // The cycle after the tail has won the switch gives the virtual channel to the next packet. With two, the
    // other one's flits use it.
    HardwareConfig config;
    config.vcs = GENERATE(1u, 2u);
    Bench tree("fbtree:3", config); // the two leaves send to the root
    constexpr unsigned packets = 40;
    constexpr std::uint32_t flits = 10;
    for (unsigned i = 0; i < packets / 2; ++i)
        for (const ProcessorId leaf : {1u, 2u})
            tree.send({leaf, 0, flits});
    test::run_to_end();
    const Cycle bubbles = config.vcs == 1 ? packets - 1 : 0;
    CHECK(tree.messenger.last_arrival() == tree.zero_load({1, 0, flits}) + (packets - 1) * flits + bubbles);
}

TEST_CASE(
    "a packet that comes second waits for the tail of the first, on a virtual channel of its own it takes "
    "turns with it",
    "[hardware][router]")
{
    // Both heads reach the root together. With one virtual channel, one head wins it in cycle t and the
    // switch in t + 1, its tail in t + P; the channel is free in t + P + 1, which is when the other head
    // wins it. With two they win them together, and the switch one after the other, as do all flits: each
    // waits a cycle but the first.
    const std::uint32_t flits = GENERATE(range(1u, 9u)); // a whole packet fits the buffer
    HardwareConfig config;
    config.vcs = GENERATE(1u, 2u);
    const bool takes_turns = config.vcs == 2;
    Bench tree("fbtree:3", config);
    tree.send({1, 0, flits});
    tree.send({2, 0, flits});
    test::run_to_end();
    const Cycle alone = tree.zero_load({1, 0, flits});
    REQUIRE(tree.messenger.arrivals().size() == 2);
    CHECK(tree.messenger.arrivals()[0].at == (takes_turns ? alone + flits - 1 : alone));
    CHECK(tree.messenger.arrivals()[1].at == (takes_turns ? alone + flits : alone + flits + 1));
    CHECK(tree.network.blocked_cycles() == (takes_turns ? 2 * flits - 1 : flits + 1));
}

TEST_CASE("an interface that takes one packet at a time lets the second wait as with one virtual channel",
          "[hardware][router]")
{
    const std::uint32_t flits = GENERATE(range(1u, 9u));
    const unsigned packets = GENERATE(1u, 2u, 3u);
    HardwareConfig config;
    config.vcs = 4;
    Topology topology = make_topology("fbtree:3"); // the two leaves send to the root
    topology.set_part(topology.processor(0).ejection, {.packets = packets});
    Bench tree(std::move(topology), config);
    tree.send({1, 0, flits});
    tree.send({2, 0, flits});
    test::run_to_end();
    const Cycle alone = tree.zero_load({1, 0, flits});
    REQUIRE(tree.messenger.arrivals().size() == 2);
    CHECK(tree.messenger.arrivals()[0].at == (packets == 1 ? alone : alone + flits - 1));
    CHECK(tree.messenger.arrivals()[1].at == (packets == 1 ? alone + flits + 1 : alone + flits));
}

TEST_CASE("packets at a time are of one ejection link", "[hardware][router]")
{
    Topology topology = make_topology("complete:4");
    topology.set_part(0, {.packets = 1});
    CHECK_THROWS_WITH(LinkPlan(topology, HardwareConfig{}, PortModel{2}, VcClasses(1)),
                      "complete:4: router 0: packets=1: of one ejection link; processor 0 has 2");
}

TEST_CASE("a processor with k ports sends, and receives, k messages at once", "[hardware][interface]")
{
    const unsigned ports = GENERATE(1u, 2u, 3u);
    test::Simulation simulation;
    const Topology complete = make_topology("complete:4");
    const Routing routing = shortest_path(complete);
    Network network("network", complete, HardwareConfig{}, PortModel{ports});
    test::Messenger messenger(network);
    constexpr std::uint32_t flits = 50;
    const bool sends = GENERATE(true, false);
    for (ProcessorId other = 1; other < 4; ++other) {
        const test::Message message{sends ? 0 : other, sends ? other : 0, flits};
        messenger.send(message, routing.route(message.source, message.destination));
    }
    const Cycle alone = zero_load_cycles(complete, network.config(), routing.route(0, 1), flits);
    test::run_through(network.domain(), alone);
    CHECK(messenger.arrivals().size() == ports);
    test::run_to_end();
    // Between two messages lies what a head needs: behind a tail in its input buffer its route and a virtual
    // channel, at a contended output the virtual channel only.
    const unsigned rounds = (3 + ports - 1) / ports;
    CHECK(messenger.last_arrival() == alone + (rounds - 1) * (flits + (sends ? 2 : 1)));
    CHECK(network.interface(0).queued() == 0);
}

} // namespace nocturne::router_test
