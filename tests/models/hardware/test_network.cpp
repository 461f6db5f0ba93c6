#include "models/hardware/network.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"

namespace nocturne::network_test {

namespace {

/// Answers every flit with a packet of its own, until there have been enough, from whichever callback is due.
class Echo final : public PacketClient {
public:
    Echo(Network& network, const Routing& routing, unsigned& left)
        : network_(network), routing_(routing), left_(left)
    {
    }
    void packet_sent(const Packet& packet) override { answer(packet.source, packet.destination); }
    void flit_arrived(const Packet& packet, std::uint32_t) override
    {
        answer(packet.destination, packet.source);
        ++flits;
    }
    void packet_arrived(const Packet& packet) override
    {
        flits_of_packets += packet.flits;
        answer(packet.destination, packet.source);
    }
    unsigned flits = 0;
    unsigned flits_of_packets = 0;

private:
    void answer(ProcessorId from, ProcessorId to)
    {
        if (left_ == 0)
            return;
        --left_;
        network_.interface(from).send(
            network_.make_packet(from, to, 1 + left_ % 5, routing_.route(from, to)));
    }
    Network& network_;
    const Routing& routing_;
    unsigned& left_;
};

} // namespace

TEST_CASE("a route that does not lead to the destination is refused", "[hardware][network]")
{
    test::Simulation simulation;
    const Topology mesh = make_topology("mesh:2x2");
    Network network("network", mesh, HardwareConfig{}, one_port);
    const Routing routing = shortest_path(mesh);
    for (ProcessorId source = 0; source < 4; ++source)
        for (ProcessorId destination = 0; destination < 4; ++destination)
            CHECK_NOTHROW(network.check_route(source, destination, routing.route(source, destination)));
    const Route there = routing.route(0, 3);
    Route back = there;
    back.push_back(routing.route(3, 1)[0]);
    Route torn = there;
    std::swap(torn[0], torn[1]);
    Route unknown = there;
    unknown[0].channel = 8;
    Route no_class = there;
    no_class[0].vc_class = 1;
    CHECK_THROWS_WITH(network.check_route(0, 4, there), "mesh:2x2: processor 4 does not exist");
    CHECK_THROWS_WITH(network.check_route(0, 3, {}),
                      "mesh:2x2: route from processor 0 to 3 ends at router 0");
    CHECK_THROWS_WITH(network.check_route(0, 3, back),
                      "mesh:2x2: route from processor 0 to 3 ends at router 1");
    for (const Route& bad : {torn, unknown, no_class})
        CHECK_THROWS_WITH(network.check_route(0, 3, bad),
                          Catch::StartsWith("mesh:2x2: route from processor 0 to 3: no channel"));
}

TEST_CASE("a network that its hardware cannot be is refused", "[hardware][network]")
{
    test::Simulation simulation;
    const Topology ring = make_topology("ring:3");
    HardwareConfig config;
    CHECK_THROWS_WITH(Network("a", ring, config, one_port, 2),
                      "ring:3: the routing needs 2 virtual channels, the hardware has 1");
    config.vcs = 0;
    CHECK_THROWS_AS(Network("b", ring, config, one_port), std::invalid_argument);

    Topology slow("slow");
    slow.add_router();
    slow.add_router();
    slow.add_channel(Channel{0, 1, 4'000'000'000u});
    CHECK_THROWS_WITH(Network("c", slow, HardwareConfig{}, one_port),
                      "slow: channel 0 (0->1): a latency of 4000000000 cycles; at most 1000000 are possible");
}

TEST_CASE("a client may send from within every callback", "[hardware][interface]")
{
    test::Simulation simulation;
    const Topology mesh = make_topology("mesh:2");
    const Routing routing = shortest_path(mesh);
    Network network("network", mesh, HardwareConfig{}, one_port);
    unsigned left = 3000; // far more packets at once than the pool has room for at first
    Echo first(network, routing, left);
    Echo second(network, routing, left);
    network.interface(0).attach(first);
    network.interface(1).attach(second);
    network.interface(0).send(network.make_packet(0, 1, 5, routing.route(0, 1)));
    test::run_to_end();
    CHECK(left == 0);
    CHECK(network.packets().in_flight() == 0);
    CHECK(first.flits + second.flits == 5 + 600 * (1 + 2 + 3 + 4 + 5));
    CHECK(first.flits == first.flits_of_packets);
    CHECK(second.flits == second.flits_of_packets);
}

TEST_CASE("each client is told of its own packets", "[hardware][interface]")
{
    struct Counter final : PacketClient {
        void packet_sent(const Packet&) override { ++sent; }
        void flit_arrived(const Packet&, std::uint32_t) override { ++flits; }
        void packet_arrived(const Packet&) override { ++packets; }
        unsigned sent = 0;
        unsigned flits = 0;
        unsigned packets = 0;
    };
    test::Simulation simulation;
    const Topology mesh = make_topology("mesh:2");
    const Routing routing = shortest_path(mesh);
    Network network("network", mesh, HardwareConfig{}, one_port);
    Counter clients[2][2]; // by processor and number
    for (const ProcessorId processor : {0u, 1u})
        for (const std::uint8_t number : {std::uint8_t{0}, std::uint8_t{1}})
            network.interface(processor).attach(clients[processor][number], number);
    for (unsigned i = 0; i < 10; ++i) {
        const PacketId packet = network.make_packet(0, 1, 3, routing.route(0, 1));
        network.packets()[packet].client = i < 4 ? 0 : 1;
        network.interface(0).send(packet);
    }
    test::run_to_end();
    CHECK(clients[0][0].sent == 4);
    CHECK(clients[0][1].sent == 6);
    CHECK(clients[1][0].packets == 4);
    CHECK(clients[1][1].packets == 6);
    CHECK(clients[1][0].flits == 12);
    CHECK(clients[1][1].flits == 18);
}

} // namespace nocturne::network_test
