#include "models/hardware/network.hpp"
#include "models/routing/shortest_path.hpp"
#include "models/topology/make_topology.hpp"
#include "tests/catch.hpp"
#include "tests/models/hardware/simulation.hpp"
#include "tests/models/topology/all_networks.hpp"

#include <fmt/format.h>

#include <set>

namespace nocturne::network_test {

TEST_CASE("one builder wires every network: a link a channel, and one a port of each processor",
          "[hardware][network]")
{
    const PortModel ports = GENERATE(as<PortModel>(), one_port, PortModel{2}, all_port);
    for (const std::string& spec : test::small_networks()) {
        CAPTURE(spec);
        const Topology topology = make_topology(spec);
        test::Simulation simulation;
        Network network("network", topology, HardwareConfig{}, ports);
        sc_core::sc_start(sc_core::SC_ZERO_TIME); // elaboration checks that every port is bound
        std::size_t links = topology.channel_count();
        for (ProcessorId id = 0; id < topology.processor_count(); ++id)
            links += send_ports(topology, id, ports) + receive_ports(topology, id, ports);
        REQUIRE(network.links().size() == links);
        REQUIRE(network.routers().size() == topology.router_count());
        // Channels have the first ports of their routers, in the topology's order.
        for (RouterId id = 0; id < topology.router_count(); ++id) {
            for (unsigned port = 0; port < topology.channels_from(id).size(); ++port)
                REQUIRE(network.link_out_of(id, port) == topology.channels_from(id)[port]);
            for (unsigned port = 0; port < topology.channels_to(id).size(); ++port)
                REQUIRE(network.link_into(id, port) == topology.channels_to(id)[port]);
        }
    }
}

TEST_CASE("links have names that people know", "[hardware][network]")
{
    test::Simulation simulation;
    const Topology mesh = make_topology("mesh:2x2");
    Network network("network", mesh, HardwareConfig{}, PortModel{2});
    std::set<std::string> names;
    for (std::uint32_t link = 0; link < network.links().size(); ++link)
        names.insert(network.link_name(link));
    for (const char* name : {"00->01", "01->00", "10->11", "P00->00", "11->P11"})
        CHECK(names.count(name) == 1);
    CHECK(names.size() == 8 + 4 + 4); // the two ports of a processor share a name
}

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

TEST_CASE("the classes of a routing share the virtual channels of a link, none left over",
          "[hardware][network]")
{
    // Class c of a chain of C classes is used by one packet each: with V virtual channels a class can be held
    // by V / C of them at a time, rounded up or down.
    const unsigned vcs = GENERATE(1u, 2u, 3u, 5u, 32u);
    const unsigned classes = GENERATE(1u, 2u, 3u, 32u);
    if (classes > vcs)
        return;
    test::Simulation simulation;
    Topology line("line");
    for (int i = 0; i < 2; ++i)
        line.add_processor(line.add_router());
    line.add_channel(0, 1);
    HardwareConfig config;
    config.vcs = vcs;
    config.allocation.vc_allocator = AllocatorKind::rotating;
    Network network("network", line, config, one_port, classes);

    class Counter final : public LinkObserver {
    public:
        void head_enters(std::uint32_t, unsigned vc, PacketId packet, Cycle) override
        {
            seen.emplace(vc, packet);
        }
        void tail_enters(std::uint32_t, unsigned, PacketId, Cycle) override {}
        std::set<std::pair<unsigned, PacketId>> seen;
    } counter;
    class Nobody final : public PacketClient {
    public:
        void packet_sent(const Packet&) override {}
        void flit_arrived(const Packet&, std::uint32_t) override {}
        void packet_arrived(const Packet&) override {}
    } nobody;
    network.links()[0]->observe(counter);
    network.interface(0).attach(nobody);
    network.interface(1).attach(nobody);
    // One packet at a time: each takes the next virtual channel of its class in turn.
    std::vector<std::set<unsigned>> used(classes);
    for (unsigned turn = 0; turn < vcs; ++turn)
        for (std::uint32_t c = 0; c < classes; ++c) {
            counter.seen.clear();
            network.interface(0).send(network.make_packet(0, 1, 3, Route{{0, c}}));
            test::run_to_end();
            REQUIRE(counter.seen.size() == 1);
            used[c].insert(counter.seen.begin()->first);
        }
    std::set<unsigned> all;
    for (const std::set<unsigned>& of_class : used) {
        CHECK(of_class.size() >= vcs / classes);
        CHECK(of_class.size() <= (vcs + classes - 1) / classes);
        for (const unsigned vc : of_class)
            CHECK(all.insert(vc).second);
    }
    CHECK(all.size() == vcs);
}

} // namespace nocturne::network_test
