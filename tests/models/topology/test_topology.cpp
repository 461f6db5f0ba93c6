#include "models/topology/make_topology.hpp"
#include "models/topology/path.hpp"
#include "models/topology/topology.hpp"
#include "tests/catch.hpp"

namespace nocturne::topology_test {

using Catch::Contains;

TEST_CASE("a name comes before an index, # is always an index", "[topology]")
{
    const Topology topology = make_topology("mesh:4x4");
    CHECK(topology.find_router("10") == 4u);
    CHECK(topology.find_router("#10") == 10u);
    CHECK(topology.find_router("4") == 4u);
    CHECK(topology.find_router("#16") == std::nullopt);
    CHECK(topology.find_router("44") == std::nullopt);
    CHECK(topology.find_router("-1") == std::nullopt);
    CHECK(topology.find_router("") == std::nullopt);
    CHECK(topology.find_processor("03") == 3u);
}

TEST_CASE("building refuses what is not there and what is there twice", "[topology]")
{
    Topology topology("pair");
    topology.add_router("a");
    topology.add_router("b");
    CHECK_THROWS_WITH(topology.add_router("a"), "pair: two routers are called 'a'");
    CHECK_THROWS_WITH(topology.add_channel(0, 2), "pair: channel 0: router 2 does not exist");
    CHECK_THROWS_WITH(topology.add_channel(Channel{0, 1, 0}), Contains("latency 0"));
    CHECK_THROWS_WITH(topology.add_processor(0, 5, "p"), "pair: processor 0: router 5 does not exist");
    topology.add_processor(0);
    CHECK_THROWS_WITH(topology.add_processor(0), "pair: two processors are called 'a'");
    // They would be found nowhere: # and digits are an index.
    CHECK_THROWS_WITH(topology.add_router("#1"),
                      "pair: a router is called '#1', which says the number of one");
    CHECK_THROWS_WITH(topology.add_processor(0, 0, "#0"),
                      "pair: a processor is called '#0', which says the number of one");
    CHECK(topology.router_count() == 2);
    CHECK(topology.channel_count() == 0);
    CHECK(topology.processor_count() == 1);
}

TEST_CASE("parallel channels are channels of their own", "[topology]")
{
    Topology topology("pair");
    topology.add_router();
    topology.add_router();
    const ChannelId first = topology.add_link(0, 1);
    CHECK(topology.add_link(0, 1) == first + 2);
    CHECK(topology.channels_from(0).size() == 2);
    CHECK(topology.channels_to(0).size() == 2);
    CHECK(describe_channel(topology, 3) == "channel 3 (1->0)");
    CHECK(describe_channel(topology, 4) == "channel 4");
}

TEST_CASE("a grid must have one place for each router", "[topology]")
{
    const std::vector<unsigned> extent = GENERATE(values<std::vector<unsigned>>(
        {{4}, {2, 2}, {0}, {3, 0}, {0, 3}, {}, {65536, 65536, 65536, 65536, 3}, {4294967295u, 4294967295u}}));
    Topology topology("three");
    for (int i = 0; i < 3; ++i)
        topology.add_router();
    CHECK_THROWS_WITH(topology.set_grid(Grid{extent, false}), Contains("three: a grid of"));
    CHECK(topology.grid() == std::nullopt);
    topology.set_grid(Grid{{1, 3}, false});
    CHECK(topology.coordinates(2) == std::vector<unsigned>{0, 2});
}

TEST_CASE("all-port is the degree of the processor's router", "[topology][ports]")
{
    const Topology mesh = make_topology("mesh:3x3"), single = make_topology("mesh:1");
    CHECK(send_ports(mesh, 0, all_port) == 2);
    CHECK(send_ports(mesh, 4, all_port) == 4);
    CHECK(receive_ports(mesh, 1, all_port) == 3);
    CHECK(send_ports(mesh, 4, PortModel{3}) == 3);
    CHECK(send_ports(single, 0, all_port) == 1);
    const Topology omega = make_topology("omega:8");
    CHECK(send_ports(omega, 0, all_port) == 2);
}

TEST_CASE("port models read back what they write", "[topology][ports]")
{
    const unsigned ports = GENERATE(0u, 1u, 3u, 1024u);
    CHECK(parse_port_model(to_string(PortModel{ports})) == PortModel{ports});
    for (const char* text : {"", "0", "-1", "one", "1 ", "1025", "4294967296", "ALL"})
        CHECK_THROWS_AS(parse_port_model(text), std::invalid_argument);
}

TEST_CASE("a path connects only if each channel starts where the one before ended", "[topology][path]")
{
    const Topology ring = make_topology("ring:4"); // link i joins i and i+1: channels 2i forward, 2i+1 back
    CHECK(connects(ring, 0, 2, {0, 2}));
    CHECK(connects(ring, 0, 0, {}));
    CHECK_FALSE(connects(ring, 0, 2, {0}));
    CHECK_FALSE(connects(ring, 0, 2, {2, 0}));
    CHECK_FALSE(connects(ring, 0, 2, {0, 99}));
    CHECK(routers_of(ring, 0, {0, 2}) == std::vector<RouterId>{0, 1, 2});
}

} // namespace nocturne::topology_test
